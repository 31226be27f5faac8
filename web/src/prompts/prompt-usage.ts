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

/**
 * By slug. The sparkline leaves out times in which nobody used any prompt. The rows of a shorter stretch say more exactly when
 * a prompt was last used.
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
