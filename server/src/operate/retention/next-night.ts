/** When work begins that is heavy on the disk, in the server's time zone. */
export function nextNight(now: Date, { hours, minutes }: ClockTime): Date {
  // Each day by itself: where clocks go forward over that time, it is an hour later on that day only.
  const nightAfter = (days: number): Date =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours, minutes)
  const tonight = nightAfter(0)
  return tonight > now ? tonight : nightAfter(1)
}

export interface ClockTime {
  readonly hours: number
  readonly minutes: number
}
