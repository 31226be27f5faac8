/** What can only be said of a log's usage when the logs around it are known. */
import { type LogOfSpan, withFlags } from './log-of-span.ts'

/** A mismatch below this share is rounding. */
const toleratedShare = 0.01

/** The logs, in the same order: usage is lent to spans that tell nothing, and what does not add up is flagged. */
export function settleUsage(logs: readonly LogOfSpan[]): LogOfSpan[] {
  const lent = lendUsage(logs)
  const sums = sumsBelow(lent)
  return lent.map((log) => {
    const own = reportedOf(log)
    const below = sums.get(log.facts.id)
    if (own === undefined || below === undefined || below === null) return log
    const isApart = Math.abs(own - below) > toleratedShare * Math.max(own, below)
    return isApart ? withFlags(log, [...log.flags, 'usage_differs_from_children']) : log
  })
}

/** A span without attributes that is named as a model's call, right inside a generation, is that call told twice. */
function lendUsage(logs: readonly LogOfSpan[]): LogOfSpan[] {
  const byId = new Map(logs.map((log) => [log.facts.id, log]))
  const bare = Map.groupBy(
    logs.filter(({ read, facts }) => read.isBare && facts.type === 'generation' && facts.parentId !== null),
    ({ facts }) => facts.parentId!,
  )
  return logs.map((log) => {
    const parent = byId.get(log.facts.parentId ?? '')
    const isOnly = bare.get(log.facts.parentId ?? '')?.length === 1
    if (!log.read.isBare || !isOnly || parent?.facts.type !== 'generation') return log
    const { usage } = parent.facts
    if (usage === null || usage.inputTokens === null) return log
    const facts = { ...log.facts, usage: { ...usage, model: usage.model ?? log.facts.usage?.model ?? null } }
    return withFlags({ ...log, facts }, [...log.flags, 'usage_of_enclosing_generation'])
  })
}

function reportedOf({ facts: { usage } }: LogOfSpan): number | undefined {
  if (usage === null || (usage.inputTokens === null && usage.outputTokens === null)) return undefined
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)
}

/** Per log, what the nearest logs below it report that report anything; null where some of it is not reported. */
function sumsBelow(logs: readonly LogOfSpan[]): Map<string, number | null> {
  const sums = new Map<string, number | null>()
  const byId = new Map(logs.map((log) => [log.facts.id, log]))
  for (const log of logs) {
    const isSilentGeneration = log.facts.type === 'generation' && reportedOf(log) === undefined
    const reported = isSilentGeneration ? null : reportedOf(log)
    if (reported === undefined || reported === 0) continue
    for (let at = parentOf(log); at !== undefined; at = parentOf(at)) {
      const known = sums.get(at.facts.id)
      sums.set(at.facts.id, known === null || reported === null ? null : (known ?? 0) + reported)
      if ((reportedOf(at) ?? 0) > 0) break
    }
  }
  return sums

  function parentOf({ facts: { parentId } }: LogOfSpan): LogOfSpan | undefined {
    return parentId === null ? undefined : byId.get(parentId)
  }
}
