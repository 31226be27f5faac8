/** When work begins that is heavy on the disk, in the server's time zone. */
export function nextNight(now: Date, { hours, minutes }: ClockTime): Date {
  const night = new Date(now)
  night.setHours(hours, minutes, 0, 0)
  if (night <= now) night.setDate(night.getDate() + 1)
  return night
}

export interface ClockTime {
  readonly hours: number
  readonly minutes: number
}
