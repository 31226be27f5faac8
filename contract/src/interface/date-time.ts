const isoDate = /^\d{4}(?:-\d\d){0,2}$/
const hasOffset = /(?:Z|[a-z]{3,}|[+-]\d\d:?\d\d)(?: \([^)]*\))?$/i

/**
 * Milliseconds of a date-time in any form that programs and people write; NaN if the text is not one. Without an offset it
 * is UTC, as everywhere in the interface, whereas `Date.parse` would assume the machine's time zone.
 */
export function parseDateTime(text: string): number {
  if (isoDate.test(text) || hasOffset.test(text)) return Date.parse(text)
  return Date.parse(/[ap]m$/i.test(text) ? `${text} UTC` : `${text}Z`)
}
