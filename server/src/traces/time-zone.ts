import { invalid, isTimeZone } from '@plumbline/contract'

/** The name of a time zone that there is; throws `invalid_request` for another. */
export function readTimeZone(name: string | undefined): string | undefined {
  if (name !== undefined && !isTimeZone(name))
    throw invalid('timeZone', `"${name}" is no time zone: write an IANA name, such as Europe/Berlin`)
  return name
}
