import type { InputProblem } from './check-input.ts'

/**
 * Numbers as people type them: `2,5`, `10%` and `1,250,000` too. Empty is undefined. NaN is invalid or ambiguous
 * text: `1,000` is a thousand to some and one to others.
 */
export function readNumber(text: string, scale = 1): number | undefined {
  const digits = text.trim().replace(/%$/, '')
  if (digits === '') return undefined
  if (/^[-+]?[1-9]\d{0,2},\d{3}$/.test(digits)) return Number.NaN
  return round(Number(withoutSeparators(digits)) / scale)
}

/** With several kinds of separators, the last is the decimal point; a repeated separator is not. */
function withoutSeparators(digits: string): string {
  if (/^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(digits) && !/^[-+]?\d+,\d{3}$/.test(digits))
    return digits.replaceAll(',', '')
  if (/^[-+]?\d{1,3}(?:\.\d{3})+,\d*$/.test(digits) || /^[-+]?\d{1,3}(?:\.\d{3}){2,}$/.test(digits))
    return digits.replaceAll('.', '').replace(',', '.')
  return digits.replace(',', '.')
}

export const writeNumber = (value: number | undefined, scale = 1): string =>
  value === undefined ? '' : String(round(value * scale))

/** Without the last digits, which are noise from scaling: 0.07 times 100 is 7.000000000000001. */
const round = (value: number): number => Number(value.toPrecision(12))

/** For fractions shown as percentages: the schema's messages would mention 0 and 1. */
export const checkPercentage = (path: string, value: number | undefined): readonly InputProblem[] =>
  value !== undefined && value >= 0 && value <= 1 ? [] : [{ path, problem: 'must be a number from 0 to 100' }]
