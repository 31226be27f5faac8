import { formatInstant } from '../text/format.ts'

/** `06:00` within a day, `14 Nov` at midnight and for days, `14 Nov 2025` in another year: an axis tick. */
export function timeTick(instant: Date, now: Date, isUtc: boolean, stepSeconds: number): string {
  const text = formatInstant(instant, isUtc)
  const time = text.slice(11, stepSeconds < 60 ? 19 : 16)
  if (stepSeconds < 86_400 && !/^00:00(:00)?$/.test(time)) return time
  const isOfThisYear = text.slice(0, 4) === formatInstant(now, isUtc).slice(0, 4)
  return dayForms[isUtc ? 'utc' : 'local'][isOfThisYear ? 'day' : 'dayOfYear'].format(instant)
}

const dayFormsIn = (zone: { readonly timeZone?: 'UTC' }) => {
  const day = { day: 'numeric', month: 'short', ...zone } as const
  return {
    day: new Intl.DateTimeFormat('en-GB', day),
    dayOfYear: new Intl.DateTimeFormat('en-GB', { ...day, year: 'numeric' }),
  }
}
const dayForms = { local: dayFormsIn({}), utc: dayFormsIn({ timeZone: 'UTC' }) } as const
