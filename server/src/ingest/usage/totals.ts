/** The facts of a log that totals need. */
export interface LogUsage {
  readonly id: string
  readonly parentId: string | null
  readonly usage?: {
    readonly inputTokens: number | null
    readonly outputTokens: number | null
    /** As sent by the client. */
    readonly cost: number | null
    /** Our own estimate. */
    readonly costEstimate: number | null
    /** Whether all tokens are our own count. */
    readonly isEstimated?: boolean
    /** Whether another log reports the same call. */
    readonly isRepeated?: boolean
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
 * The totals of one trace, and for each log whether its tokens count and what it adds to the cost: null for nothing, 0 if
 * the cost of its call is counted on a log around or below it. Frameworks repeat the same usage on each enclosing log, so
 * a log with a descendant that reports tokens does not count, and neither does its cost if a descendant reports one.
 */
export function totalsOf(logs: readonly LogUsage[]): {
  totals: Totals
  countsInTotals: boolean[]
  costsInTotals: (number | null)[]
} {
  const parents = parentsOf(logs)
  const usedBelow = anyBelow(logs.map(usesTokens), parents)
  const reports = logs.map((log) => usesTokens(log) && log.usage?.isEstimated !== true)
  const reportedBelow = anyBelow(reports, parents)
  const reportedAbove = anyAbove(reports, parents)
  const countsInTotals = logs.map((log, index) => {
    if (isLeftOut(log)) return false
    // A report gives way to reports only; an estimate gives way to any usage, and also to reports around it.
    return log.usage?.isEstimated === true
      ? !usedBelow[index] && !reportedAbove[index]
      : !reportedBelow[index] && (reports[index] === true || !usedBelow[index])
  })
  const costsInTotals = costsOf(logs, countsInTotals, parents)
  const counted = logs.filter((_log, index) => countsInTotals[index])
  const costs = costsInTotals.filter((cost) => cost !== null)
  const totals = {
    inputTokens: sum(counted.map((log) => log.usage?.inputTokens ?? 0)),
    outputTokens: sum(counted.map((log) => log.usage?.outputTokens ?? 0)),
    cost: costs.length === 0 ? null : sum(costs),
    errors: logs.filter((log) => log.hasError).length,
    models: [...new Set(logs.flatMap((log) => log.model ?? []))],
  }
  return { totals, countsInTotals, costsInTotals }
}

/** A reported cost gives way to those below it. A log without one costs what its tokens cost, unless a report covers it. */
function costsOf(
  logs: readonly LogUsage[],
  countsInTotals: readonly boolean[],
  parents: Parents,
): (number | null)[] {
  const reports = logs.map((log) => !isLeftOut(log) && (log.usage?.cost ?? 0) > 0)
  const reportedBelow = anyBelow(reports, parents)
  const counts = reports.map((isReport, index) => isReport && !reportedBelow[index])
  const isElsewhere = anyBeside(counts, parents)
  return logs.map((log, index) => {
    const own = log.usage === undefined ? null : costOf(log.usage)
    if (reports[index]) return counts[index] ? own : countsInTotals[index] ? 0 : null
    return countsInTotals[index] ? (isElsewhere[index] ? 0 : own) : null
  })
}

/** The cost of a log in totals: clients without prices send 0, which our estimate replaces. */
export function costOf({
  cost,
  costEstimate,
}: Pick<NonNullable<LogUsage['usage']>, 'cost' | 'costEstimate'>): number | null {
  return cost === null || (cost === 0 && costEstimate !== null) ? costEstimate : cost
}

/** More tokens or dollars than any call has: sums with larger numbers lose the small ones, or overflow. */
const numberMax = 1e12

/** Whether the numbers can be those of a call: negative or excessive ones are no usage. */
export function isPossible({
  inputTokens,
  outputTokens,
  cost,
}: Pick<NonNullable<LogUsage['usage']>, 'inputTokens' | 'outputTokens' | 'cost'>): boolean {
  return (
    isPossibleNumber(inputTokens ?? 0) && isPossibleNumber(outputTokens ?? 0) && isPossibleNumber(cost ?? 0)
  )
}

export const isPossibleNumber = (number: number): boolean => number >= 0 && number <= numberMax

const isLeftOut = ({ usage }: LogUsage): boolean =>
  usage !== undefined && (usage.isRepeated === true || !isPossible(usage))

const usesTokens = (log: LogUsage): boolean =>
  !isLeftOut(log) && ((log.usage?.inputTokens ?? 0) > 0 || (log.usage?.outputTokens ?? 0) > 0)

type Parents = readonly (number | undefined)[]

/** Whether a log around or below each one is marked. */
export function anyBeside(marks: readonly boolean[], parents: Parents): boolean[] {
  const isAbove = anyBelow(marks, parents)
  return anyAbove(marks, parents).map((isBelow, index) => isBelow || isAbove[index] === true)
}

/** Whether a descendant of each log is marked. Each walk stops at a visited log, so each log is visited once. */
function anyBelow(marks: readonly boolean[], parents: Parents): boolean[] {
  const isAbove = marks.map(() => false)
  for (const [index, isMarked] of marks.entries()) {
    if (!isMarked) continue
    for (
      let ancestor = parents[index];
      ancestor !== undefined && !isAbove[ancestor];
      ancestor = parents[ancestor]
    )
      isAbove[ancestor] = true
  }
  return isAbove
}

/** Whether an ancestor of each log is marked. Each log is decided once. */
function anyAbove(marks: readonly boolean[], parents: Parents): boolean[] {
  if (!marks.includes(true)) return marks.map(() => false)
  const isBelow: (boolean | undefined)[] = marks.map(() => undefined)
  for (const start of marks.keys()) {
    const path: number[] = []
    let current: number | undefined = start
    while (current !== undefined && isBelow[current] === undefined) {
      path.push(current)
      current = parents[current]
    }
    let isMarkedAbove = current === undefined ? false : isBelow[current] === true || marks[current] === true
    for (const index of path.toReversed()) {
      isBelow[index] = isMarkedAbove
      isMarkedAbove ||= marks[index] === true
    }
  }
  return isBelow.map((each) => each === true)
}

/** The index of each log's parent; none for a missing parent or one that would close a cycle. */
export function parentsOf(logs: readonly Pick<LogUsage, 'id' | 'parentId'>[]): (number | undefined)[] {
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
