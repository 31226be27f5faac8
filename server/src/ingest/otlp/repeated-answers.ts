/**
 * Finds calls that two instrumentations report beside each other, without a shared id: the span of a framework, such as
 * LangChain, begins before that of the client library and ends after it, and has exactly the same answer.
 */
import type { LogOfSpan } from './log-of-span.ts'
import { isConversation, type Part } from './messages/message.ts'

/** One call: the span of the framework, and that of the client library within its time. */
export interface RepeatedAnswer {
  readonly outer: LogOfSpan
  readonly inner: LogOfSpan
}

/** Each log is in at most one pair, so that the number of identical calls beside each other stays the same. */
export function repeatedAnswers(logs: readonly LogOfSpan[]): RepeatedAnswer[] {
  const generations = logs.filter(({ facts }) => facts.type === 'generation')
  // Most traces have only one instrumentation of calls.
  if (new Set(generations.map(scopeOf)).size < 2) return []
  const byAnswer = Map.groupBy(generations, (log) => answerOf(log) ?? '')
  byAnswer.delete('')
  const logsOfPairs = new Set<LogOfSpan>()
  return [...byAnswer.values()].flatMap((group) => {
    const inOrder = group.toSorted((a, b) => Number(a.span.startNs - b.span.startNs))
    return inOrder.flatMap((outer, index) => {
      if (logsOfPairs.has(outer) || outer.read.facts.responseId !== undefined) return []
      const inner = firstInside(outer, inOrder, index + 1, logsOfPairs)
      if (inner === undefined) return []
      logsOfPairs.add(outer).add(inner)
      return [{ outer, inner }]
    })
  })
}

/** Searches from a position on, in the order of start times, and stops at the first log that begins after the end. */
function firstInside(
  outer: LogOfSpan,
  inOrder: readonly LogOfSpan[],
  start: number,
  logsOfPairs: ReadonlySet<LogOfSpan>,
): LogOfSpan | undefined {
  const { endNs } = outer.span
  for (let index = start; index < inOrder.length; index++) {
    const log = inOrder[index]!
    if (endNs === null || log.span.startNs > endNs) return undefined
    if (!logsOfPairs.has(log) && isInside(log, outer)) return log
  }
  return undefined
}

const scopeOf = ({ span }: LogOfSpan): string => span.scope.name

/** Whether two logs are the same call: of different instrumentations, and with the same numbers where both have them. */
function isInside(inner: LogOfSpan, outer: LogOfSpan): boolean {
  const [innerEnd, outerEnd] = [inner.span.endNs, outer.span.endNs]
  if (scopeOf(inner) === scopeOf(outer) || innerEnd === null || outerEnd === null || innerEnd > outerEnd)
    return false
  return (['inputTokens', 'outputTokens'] as const).every((name) => {
    const [own, other] = [inner.facts.usage?.[name] ?? null, outer.facts.usage?.[name] ?? null]
    return own === null || other === null || own === other
  })
}

/** The text and tool calls that the model returned; undefined if unknown. */
function answerOf({ read: { output } }: LogOfSpan): string | undefined {
  if (!isConversation(output)) return undefined
  const texts = output.flatMap(({ parts }) => parts.flatMap(textsOfPart))
  return texts.length === 0 ? undefined : JSON.stringify(texts)
}

function textsOfPart(part: Part): string[] {
  if (part.type === 'text' && typeof part.content === 'string')
    return part.content === '' ? [] : [part.content]
  return part.type === 'tool_call' ? [`${part.id} ${part.name}`] : []
}
