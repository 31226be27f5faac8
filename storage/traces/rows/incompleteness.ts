import type { LogRow } from './row-types.ts'

/** What the sums of a trace lack, or have by our own count. */
export function incompletenessOf(logs: readonly LogRow[]): { unpriced: number; estimated: number } {
  const counted = logs.filter(({ type, countsInTotals }) => type === 'generation' && countsInTotals)
  return {
    unpriced: counted.filter(({ costInTotals }) => costInTotals === null).length,
    estimated: counted.filter(({ tokensEstimated }) => tokensEstimated).length,
  }
}
