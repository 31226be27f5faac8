import { isTimeZone } from '@plumbline/sdk/time-buckets'

/** The time zone of this device; UTC if the browser knows none. */
export function deviceTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return isTimeZone(timeZone) ? timeZone : 'UTC'
}
