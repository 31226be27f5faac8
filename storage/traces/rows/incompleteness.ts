import type { LogRow } from './row-types.ts'

/** The condition of SQL by which a generation that counts lacks a cost, as in `incompletenessOf`. */
export const isUnpriced =
  'cost_in_totals IS NULL AND NOT (has_error AND input_tokens IS NULL AND output_tokens IS NULL)'

/** What the sums of a trace lack, or have by our own count. A failed call that reports no tokens is taken to have used none. */
export function incompletenessOf(logs: readonly LogRow[]): { unpriced: number; estimated: number } {
  const counted = logs.filter(({ type, countsInTotals }) => type === 'generation' && countsInTotals)
  return {
    unpriced: counted.filter(
      ({ costInTotals, hasError, inputTokens, outputTokens }) =>
        costInTotals === null && !(hasError && inputTokens === null && outputTokens === null),
    ).length,
    estimated: counted.filter(({ tokensEstimated }) => tokensEstimated).length,
  }
}
