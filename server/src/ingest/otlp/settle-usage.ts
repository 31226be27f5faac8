/** Decides the parts of a log's usage that depend on the surrounding logs. */
import { field } from './json-value.ts'
import type { LogOfSpan } from './log-of-span.ts'
import { isConversation } from './messages/message.ts'
import { repeatedAnswers } from './repeated-answers.ts'
import type { SpanFlag } from './usage.ts'

/** A smaller relative difference is a rounding error. */
const toleratedShare = 0.01

/** The logs in the same order: bare spans inherit usage, and sums that differ get a flag. */
export function settleUsage(logs: readonly LogOfSpan[]): LogOfSpan[] {
  const inherited = settleRepeatedAnswers(settleRepeatedCalls(dropEstimatesOfHelpers(inheritUsage(logs))))
  const sums = sumsBelow(inherited)
  return inherited.map((log) => {
    const own = readReported(log)
    const childrenSum = sums.get(log.facts.id)
    if (own === undefined || childrenSum === undefined || childrenSum === null) return log
    const isApart = Math.abs(own - childrenSum) > toleratedShare * Math.max(own, childrenSum)
    return isApart ? withFlag(log, 'usage_differs_from_children') : log
  })
}

/** A bare span named like a model call, directly inside a generation, is a second report of that call. */
function inheritUsage(logs: readonly LogOfSpan[]): LogOfSpan[] {
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
    return withFlag({ ...log, facts }, 'usage_of_enclosing_generation')
  })
}

/**
 * Two instrumentations of one call name the same response at the same time: only one log counts, and it takes over the
 * cost that another reports. The innermost log takes precedence, as everywhere; in the totals, a log around it gives way.
 */
function settleRepeatedCalls(logs: readonly LogOfSpan[]): LogOfSpan[] {
  const parents = new Map(logs.map(({ facts: { id, parentId } }) => [id, parentId]))
  const groups = Map.groupBy(
    logs.filter(({ read, facts }) => facts.type === 'generation' && read.facts.responseId !== undefined),
    ({ read }) => read.facts.responseId!,
  )
  const settled = new Map<LogOfSpan, LogOfSpan>()
  for (const group of groups.values()) {
    const reporting = group.filter((log) => readReported(log) !== undefined || readCost(log) > 0)
    if (reporting.length < 2) continue
    const ancestorIdsOf = (descendants: readonly LogOfSpan[]) =>
      new Set(descendants.flatMap(({ facts: { id } }) => ancestorsOf(id, parents)))
    const ancestorIds = ancestorIdsOf(reporting)
    const calls = groupByTime(reporting.filter(({ facts: { id } }) => !ancestorIds.has(id)))
    const aroundCounted = ancestorIdsOf(calls.map(mainLogOf))
    const byId = new Map(reporting.map((log) => [log.facts.id, log]))
    for (const call of calls) {
      const counted = mainLogOf(call)
      const enclosing = [...ancestorIdsOf(call)].flatMap((id) =>
        aroundCounted.has(id) ? [] : (byId.get(id) ?? []),
      )
      const repeated = [...call.filter((log) => log !== counted), ...enclosing].filter(
        (log) => !settled.has(log),
      )
      for (const log of repeated) settled.set(log, markRepeated(log))
      const cost = repeated.map(readCost).find((each) => each > 0)
      if (cost !== undefined && readCost(counted) === 0) settled.set(counted, withCost(counted, cost))
    }
  }
  return settled.size === 0 ? [...logs] : logs.map((log) => settled.get(log) ?? log)
}

/** The same for two instrumentations one of which names no response. */
function settleRepeatedAnswers(logs: readonly LogOfSpan[]): LogOfSpan[] {
  const settled = new Map<LogOfSpan, LogOfSpan>()
  const parents = new Map(logs.map(({ facts: { id, parentId } }) => [id, parentId]))
  for (const { outer, inner } of repeatedAnswers(logs)) {
    // In the totals, a log around another one gives way anyway.
    if (ancestorsOf(inner.facts.id, parents).includes(outer.facts.id)) continue
    const isInnerCounted = readReported(inner) !== undefined || readReported(outer) === undefined
    const [counted, repeated] = isInnerCounted ? [inner, outer] : [outer, inner]
    settled.set(repeated, markRepeated(repeated))
    if (readCost(counted) === 0 && readCost(repeated) > 0)
      settled.set(counted, withCost(counted, readCost(repeated)))
  }
  return settled.size === 0 ? [...logs] : logs.map((log) => settled.get(log) ?? log)
}

/** The log that counts among those of one call: one with tokens, preferably also with the conversation. */
function mainLogOf(call: readonly LogOfSpan[]): LogOfSpan {
  const withTokens = call.filter((log) => readReported(log) !== undefined)
  const candidates = withTokens.length === 0 ? call : withTokens
  return candidates.find(({ read }) => read.output !== undefined) ?? candidates[0]!
}

/** Groups of logs whose times overlap: local servers give the same id to consecutive calls. */
function groupByTime(logs: readonly LogOfSpan[]): LogOfSpan[][] {
  const groups: { logs: LogOfSpan[]; startNs: bigint; endNs: bigint | null }[] = []
  for (const log of logs.toSorted((a, b) => Number(a.span.startNs - b.span.startNs))) {
    const { startNs, endNs } = log.span
    const group = groups.at(-1)
    // A span without an end is still running.
    if (group === undefined || (group.endNs !== null && group.endNs <= startNs && group.startNs !== startNs))
      groups.push({ logs: [log], startNs, endNs })
    else {
      group.logs.push(log)
      group.endNs = group.endNs === null || endNs === null ? null : endNs > group.endNs ? endNs : group.endNs
    }
  }
  return groups.map((group) => group.logs)
}

function markRepeated(log: LogOfSpan): LogOfSpan {
  const { usage } = log.facts
  return usage === null ? log : { ...log, facts: { ...log.facts, usage: { ...usage, isRepeated: true } } }
}

function withCost(log: LogOfSpan, cost: number): LogOfSpan {
  const { usage } = log.facts
  if (usage === null) return log
  return withFlag({ ...log, facts: { ...log.facts, usage: { ...usage, cost } } }, 'cost_of_repeated_call')
}

const withFlag = (log: LogOfSpan, flag: SpanFlag): LogOfSpan => ({ ...log, flags: [...log.flags, flag] })

/** The reported cost; clients without prices send 0. */
const readCost = ({ facts: { usage } }: LogOfSpan): number => usage?.cost ?? 0

function ancestorsOf(id: string, parents: ReadonlyMap<string, string | null>): string[] {
  const ancestors: string[] = []
  for (let parent = parents.get(id); parent != null; parent = parents.get(parent)) ancestors.push(parent)
  return ancestors
}

/**
 * An LLM helper makes no call: it reports nothing and has no answer, while a log beside it reports usage. It gets no
 * estimate.
 */
function dropEstimatesOfHelpers(logs: readonly LogOfSpan[]): LogOfSpan[] {
  const isReporting = (log: LogOfSpan) => log.facts.type === 'generation' && (readReported(log) ?? 0) > 0
  const parentsOfReports = new Set(logs.filter(isReporting).map(({ facts }) => facts.parentId))
  return logs.map((log) => {
    const { usage, parentId } = log.facts
    const isHelper =
      usage?.countsAbsentTokens === true &&
      readReported(log) === undefined &&
      usage.cost === null &&
      log.read.facts.responseId === undefined &&
      !isAnswer(log.read.output) &&
      parentsOfReports.has(parentId)
    return isHelper
      ? { ...log, facts: { ...log.facts, usage: { ...usage, countsAbsentTokens: false } } }
      : log
  })
}

/** Whether an output is an answer: LlamaIndex's helpers output the request that they prepared. */
const isAnswer = (output: unknown): boolean =>
  isConversation(output)
    ? output.some(({ role }) => role === 'assistant')
    : output !== undefined && !Array.isArray(field(output, 'messages'))

function readReported({ facts: { usage } }: LogOfSpan): number | undefined {
  if (usage === null || (usage.inputTokens === null && usage.outputTokens === null)) return undefined
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)
}

/** The sum that the nearest reporting descendants of each log report; null if a generation below reports nothing. */
function sumsBelow(logs: readonly LogOfSpan[]): Map<string, number | null> {
  const sums = new Map<string, number | null>()
  const byId = new Map(logs.map((log) => [log.facts.id, log]))
  for (const log of logs) {
    const isSilentGeneration = log.facts.type === 'generation' && readReported(log) === undefined
    const reported = isSilentGeneration ? null : readReported(log)
    if (reported === undefined || reported === 0) continue
    for (let ancestor = parentOf(log); ancestor !== undefined; ancestor = parentOf(ancestor)) {
      const sum = sums.get(ancestor.facts.id)
      sums.set(ancestor.facts.id, sum === null || reported === null ? null : (sum ?? 0) + reported)
      if ((readReported(ancestor) ?? 0) > 0) break
    }
  }
  return sums

  function parentOf({ facts: { parentId } }: LogOfSpan): LogOfSpan | undefined {
    return parentId === null ? undefined : byId.get(parentId)
  }
}
