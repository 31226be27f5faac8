/** Numbers as people type them, with a comma too. Empty is undefined, and NaN is text that is no number. */
export const readNumber = (text: string, scale = 1): number | undefined =>
  text.trim() === '' ? undefined : rounded(Number(text.trim().replace(',', '.')) / scale)

export const writeNumber = (value: number | undefined, scale = 1): string =>
  value === undefined ? '' : String(rounded(value * scale))

/** Without the last digits, which scaling makes up: 0.07 times 100 is 7.000000000000001. */
const rounded = (value: number): number => Number(value.toPrecision(12))
