import { invalid, isTimeZone } from '@plumbline/contract'

/** The name of an existing time zone; throws `invalid_request` for any other. */
export function readTimeZone(name: string | undefined): string | undefined {
  if (name !== undefined && !isTimeZone(name))
    throw invalid('timeZone', `"${name}" is no time zone: write an IANA name, such as Europe/Berlin`)
  return name
}
