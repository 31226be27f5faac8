import type { LogRow } from './row-types.ts'

/** The SQL condition for a counted generation without a cost, as in `incompletenessOf`. */
export const isUnpriced =
  'cost_in_totals IS NULL AND NOT (has_error AND input_tokens IS NULL AND output_tokens IS NULL)'

/**
 * How many generations lack a cost in the sums of a trace, and how many have tokens that we counted ourselves. A failed
 * call that reports no tokens is assumed to have used none.
 */
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
