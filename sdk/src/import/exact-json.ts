type Revive = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

/** Browsers that hand no source over have the number. */
const keepDigits: Revive = (_key, value, { source = '' } = {}) =>
  typeof value === 'number' &&
  !Number.isSafeInteger(value) &&
  /^-?\d+$/.test(source) &&
  String(value) !== source
    ? source
    : value

/**
 * As `JSON.parse`; a whole number that would not keep its digits, such as an id of 64 bits, is a text, as it is of a
 * Parquet file.
 */
export function parseExactJson(text: string): unknown {
  return /\d{16}/.test(text)
    ? (JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1]) as unknown)
    : (JSON.parse(text) as unknown)
}
