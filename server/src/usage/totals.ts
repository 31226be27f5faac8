/** What totals need to know of a log. */
export interface LogUsage {
  readonly id: string
  readonly parentId: string | null
  readonly usage?: {
    readonly inputTokens: number | null
    readonly outputTokens: number | null
    /** As the client gave it. */
    readonly cost: number | null
    /** As we priced it. */
    readonly costEstimate: number | null
  }
  readonly hasError: boolean
  readonly model: string | null
}

/** The sums of a trace. `cost` is null when no log that counts has one; `models` are in order of first use. */
export interface Totals {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: number | null
  readonly errors: number
  readonly models: string[]
}

/**
 * The totals of one trace, and per log, in order, whether its usage is in them. A framework reports the same
 * usage again on each enclosing log, so a log with a descendant that carries usage adds nothing.
 */
export function totalsOf(logs: readonly LogUsage[]): { totals: Totals; countsInTotals: boolean[] } {
  const reported = reportedBelow(logs)
  const countsInTotals = reported.map((isReportedBelow) => !isReportedBelow)
  const counted = logs.filter((_log, index) => countsInTotals[index])
  const costs = counted.map(costOf).filter((cost) => cost !== null)
  const totals = {
    inputTokens: sum(counted.map((log) => log.usage?.inputTokens ?? 0)),
    outputTokens: sum(counted.map((log) => log.usage?.outputTokens ?? 0)),
    cost: costs.length === 0 ? null : sum(costs),
    errors: logs.filter((log) => log.hasError).length,
    models: [...new Set(logs.flatMap((log) => log.model ?? []))],
  }
  return { totals, countsInTotals }
}

/** The cost that totals take: clients that know no price send 0, so our estimate stands in for it. */
export function costOf(log: LogUsage): number | null {
  const { cost = null, costEstimate = null } = log.usage ?? {}
  return cost === null || (cost === 0 && costEstimate !== null) ? costEstimate : cost
}

function carriesUsage({ usage }: LogUsage): boolean {
  if (!usage) return false
  return [usage.inputTokens, usage.outputTokens, usage.cost, usage.costEstimate].some(
    (value) => (value ?? 0) > 0,
  )
}

/** Per log, whether a descendant carries usage. Each log is passed once: a walk ends where another has been. */
function reportedBelow(logs: readonly LogUsage[]): boolean[] {
  const parents = parentsOf(logs)
  const reported = logs.map(() => false)
  for (const [index, log] of logs.entries()) {
    if (!carriesUsage(log)) continue
    for (
      let ancestor = parents[index];
      ancestor !== undefined && !reported[ancestor];
      ancestor = parents[ancestor]
    )
      reported[ancestor] = true
  }
  return reported
}

/** Per log, where its parent is. A parent that is not there, or would close a circle, is none. */
function parentsOf(logs: readonly LogUsage[]): (number | undefined)[] {
  const places = new Map(logs.map((log, index) => [log.id, index]))
  const parents = logs.map((log) => (log.parentId === null ? undefined : places.get(log.parentId)))
  const walkOf = logs.map(() => -1)
  for (const start of logs.keys()) {
    for (let current = start; walkOf[current] === -1; ) {
      walkOf[current] = start
      const parent = parents[current]
      if (parent === undefined) break
      if (walkOf[parent] === start) parents[current] = undefined
      else current = parent
    }
  }
  return parents
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
