/** McNemar's test: whether one of two ways passes more of the same cases than the other. */
import { signTest } from '../experiments/statistics.ts'
import { normalTails } from './normal.ts'

/** Cases that only one of the two passed: those that both passed, or neither, tell nothing. */
export interface Discordant {
  readonly onlyFirst: number
  readonly onlySecond: number
}

/** The exact test, two-sided, for any number of cases. It is the sign test of the differences. */
export function mcnemarExact({ onlyFirst, onlySecond }: Discordant): number {
  const differences = [...Array<number>(onlyFirst).fill(1), ...Array<number>(onlySecond).fill(-1)]
  return signTest(differences).pValue
}

/** The test by the chi-squared distribution, with Edwards' correction for continuity unless told otherwise. */
export function mcnemar(
  { onlyFirst, onlySecond }: Discordant,
  { isCorrected = true }: { readonly isCorrected?: boolean } = {},
): { chiSquared: number; pValue: number } {
  const sum = onlyFirst + onlySecond
  if (sum === 0) return { chiSquared: 0, pValue: 1 }
  const difference = Math.max(0, Math.abs(onlyFirst - onlySecond) - (isCorrected ? 1 : 0))
  const chiSquared = difference ** 2 / sum
  // With one degree of freedom it is the square of a normal variable.
  return { chiSquared, pValue: normalTails(Math.sqrt(chiSquared)) }
}
