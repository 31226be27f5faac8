/** McNemar's test: whether one of two methods passes more of the same cases. */

import { normalTails } from './normal.ts'
import { signTest } from './paired.ts'

/** Cases that exactly one of the two passed; the others carry no information. */
export interface Discordant {
  readonly onlyFirst: number
  readonly onlySecond: number
}

/** The exact two-sided test, which is the sign test of the differences. */
export function mcnemarExact({ onlyFirst, onlySecond }: Discordant): number {
  const differences = [...Array<number>(onlyFirst).fill(1), ...Array<number>(onlySecond).fill(-1)]
  return signTest(differences).pValue
}

/** The chi-squared approximation, with Edwards' continuity correction by default. */
export function mcnemar(
  { onlyFirst, onlySecond }: Discordant,
  { isCorrected = true }: { readonly isCorrected?: boolean } = {},
): { chiSquared: number; pValue: number } {
  const sum = onlyFirst + onlySecond
  if (sum === 0) return { chiSquared: 0, pValue: 1 }
  const difference = Math.max(0, Math.abs(onlyFirst - onlySecond) - (isCorrected ? 1 : 0))
  const chiSquared = difference ** 2 / sum
  // Chi-squared with one degree of freedom is the square of a normal variable.
  return { chiSquared, pValue: normalTails(Math.sqrt(chiSquared)) }
}
