type Revive = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

/** Browsers that do not pass the source text keep the number. */
const keepDigits: Revive = (_key, value, { source = '' } = {}) =>
  typeof value === 'number' &&
  !Number.isSafeInteger(value) &&
  /^-?\d+$/.test(source) &&
  String(value) !== source
    ? source
    : value

/**
 * Like `JSON.parse`, but integers that would lose digits, such as 64-bit ids, become texts, as in values of Parquet files.
 */
export function parseExactJson(text: string): unknown {
  return /\d{16}/.test(text)
    ? (JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1]) as unknown)
    : (JSON.parse(text) as unknown)
}
