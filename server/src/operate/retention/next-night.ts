/** When disk-intensive work starts, in the server's time zone. */
export function nextNight(now: Date, { hours, minutes }: ClockTime): Date {
  // Computed for each day separately: if clocks skip that time, it is an hour later on that day only.
  const nightAfter = (days: number): Date =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours, minutes)
  const tonight = nightAfter(0)
  return tonight > now ? tonight : nightAfter(1)
}

export interface ClockTime {
  readonly hours: number
  readonly minutes: number
}
