/** Prompt usage, from the rows of a metrics query by prompt and time. Pure. */

export interface PromptUsage {
  readonly uses: number
  /** Null if no use has a known cost. */
  readonly cost: number | null
  /** Start of the last interval with a use. */
  readonly lastUsedAt: string | undefined
  /** Uses per interval, oldest first. */
  readonly course: readonly number[]
}

export type MetricsRow = Readonly<Record<string, string | number | null>>

/**
 * By slug. The sparkline omits intervals without any use. Rows with shorter intervals give the time of the last use
 * more exactly.
 */
export function usageByPrompt(
  rows: readonly MetricsRow[],
  latestRows: readonly MetricsRow[] = [],
): ReadonlyMap<string, PromptUsage> {
  const times = [...new Set(rows.map(({ time }) => String(time)))].sort()
  const bySlug = Map.groupBy(rows, ({ promptSlug }) => String(promptSlug))
  const latestBySlug = Map.groupBy(latestRows, ({ promptSlug }) => String(promptSlug))
  return new Map(
    [...bySlug].map(([slug, own]) => {
      const usage = usageOf(own, times)
      const lastUsedAt = lastUseIn(latestBySlug.get(slug) ?? []) ?? usage.lastUsedAt
      return [slug, { ...usage, lastUsedAt }]
    }),
  )
}

const lastUseIn = (rows: readonly MetricsRow[]): string | undefined =>
  rows
    .filter((row) => numberIn(row, 'logs') > 0)
    .map(({ time }) => String(time))
    .sort()
    .at(-1)

function usageOf(rows: readonly MetricsRow[], times: readonly string[]): PromptUsage {
  const byTime = new Map(rows.map((row) => [String(row.time), row]))
  const costs = rows.flatMap(({ cost }) => (typeof cost === 'number' ? [cost] : []))
  return {
    uses: rows.reduce((sum, row) => sum + numberIn(row, 'logs'), 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    lastUsedAt: lastUseIn(rows),
    course: times.map((time) => numberIn(byTime.get(time), 'logs')),
  }
}

export const numberIn = (row: MetricsRow | undefined, measure: string): number =>
  numberOrNull(row, measure) ?? 0

export function numberOrNull(row: MetricsRow | undefined, measure: string): number | null {
  const value = row?.[measure]
  return typeof value === 'number' ? value : null
}
