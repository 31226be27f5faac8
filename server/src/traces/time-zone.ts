import { invalid, isTimeZone } from '@plumbline/contract'

/** The name of an existing time zone; throws `invalid_request` for any other. */
export function readTimeZone(name: string | undefined): string | undefined {
  if (name !== undefined && !isTimeZone(name))
    throw invalid('timeZone', `"${name}" is not a time zone: use an IANA name, such as Europe/Berlin`)
  return name
}
