import type { InputProblem } from './check-input.ts'

/** Numbers as people type them: `2,5` and `10%` too. Empty is undefined, and NaN is text that is no number. */
export const readNumber = (text: string, scale = 1): number | undefined =>
  text.trim() === '' ? undefined : round(Number(text.trim().replace(',', '.').replace(/%$/, '')) / scale)

export const writeNumber = (value: number | undefined, scale = 1): string =>
  value === undefined ? '' : String(round(value * scale))

/** Without the last digits, which scaling makes up: 0.07 times 100 is 7.000000000000001. */
const round = (value: number): number => Number(value.toPrecision(12))

/** For fractions that a form shows as percentages: the schema would speak of 0 and 1. */
export const checkPercentage = (path: string, value: number | undefined): readonly InputProblem[] =>
  value !== undefined && value >= 0 && value <= 1 ? [] : [{ path, problem: 'must be a number from 0 to 100' }]
