/** How often prompts are used, out of the rows of a metrics query by prompt and time. Pure. */

export interface PromptUsage {
  readonly uses: number
  /** Null where no use has a known cost. */
  readonly cost: number | null
  /** Start of the last stretch of time with a use. */
  readonly lastUsedAt: string | undefined
  /** Uses in each stretch, oldest first. */
  readonly course: readonly number[]
}

export type MetricsRow = Readonly<Record<string, string | number | null>>

/** By slug. The sparkline leaves out times in which nobody used any prompt. */
export function usageByPrompt(rows: readonly MetricsRow[]): ReadonlyMap<string, PromptUsage> {
  const times = [...new Set(rows.map(({ time }) => String(time)))].sort()
  const bySlug = Map.groupBy(rows, ({ promptSlug }) => String(promptSlug))
  return new Map([...bySlug].map(([slug, own]) => [slug, usageOf(own, times)]))
}

function usageOf(rows: readonly MetricsRow[], times: readonly string[]): PromptUsage {
  const byTime = new Map(rows.map((row) => [String(row.time), row]))
  const costs = rows.flatMap(({ cost }) => (typeof cost === 'number' ? [cost] : []))
  return {
    uses: rows.reduce((sum, row) => sum + numberIn(row, 'logs'), 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    lastUsedAt: times.findLast((time) => numberIn(byTime.get(time), 'logs') > 0),
    course: times.map((time) => numberIn(byTime.get(time), 'logs')),
  }
}

export const numberIn = (row: MetricsRow | undefined, measure: string): number =>
  numberOrNull(row, measure) ?? 0

export function numberOrNull(row: MetricsRow | undefined, measure: string): number | null {
  const value = row?.[measure]
  return typeof value === 'number' ? value : null
}
