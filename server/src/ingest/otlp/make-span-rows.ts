/**
 * Builds the rows of traces from spans; they equal the rows of a trace sent over REST. It reads no store and no clock, so
 * that reads before draining and replays after a crash give the same rows.
 */
import type { ScoreRow } from '@plumbline/storage/traces/rows'
import type { RowContext } from '../monitor/worker/make-log-row.ts'
import { makeRows, type TraceRows } from '../monitor/worker/make-rows.ts'
import { type CutTrace, cutTraces } from './assembly/cut-traces.ts'
import { traceFactsOf } from './assembly/trace-of-spans.ts'
import { isBookkeeping } from './conventions/own-client.ts'
import { factsWithSpan, type LogOfSpan, logOfSpan } from './log-of-span.ts'
import { scoresOf } from './scores-of-span.ts'
import { settleUsage } from './settle-usage.ts'
import type { ReceivedSpan } from './span.ts'
import { type SpanTree, treeOf } from './span-tree.ts'

export { type References, referencesOf } from './references.ts'

export interface SpanRowsContext {
  readonly workspaceId: string
  /** Our trace id for a root: null is the OpenTelemetry trace itself, else the span id of the root of a cut trace. */
  readonly traceIdOf: (rootSpanId: string | null) => string
  /** Experiments that traces joined after they were recorded, by our trace id. */
  readonly experimentIds?: Readonly<Record<string, string>>
}

export interface SpanRows {
  readonly traces: readonly TraceRows[]
  readonly scores: readonly ScoreRow[]
  /** How often each attribute occurred that no convention understands. */
  readonly notUnderstood: Readonly<Record<string, number>>
}

/** Builds rows from the spans of one OpenTelemetry trace known so far: distinct ids, any order, parents may be missing. */
export function makeSpanRows(
  spans: readonly ReceivedSpan[],
  context: SpanRowsContext,
  rowContext: RowContext,
): SpanRows {
  const tree = treeOf(spans)
  const traces: TraceRows[] = []
  const scores: ScoreRow[] = []
  const notUnderstood = new Map<string, number>()
  for (const cut of cutTraces(tree)) {
    const traceId = context.traceIdOf(cut.rootId)
    const logs = logsOf(cut, tree)
    const facts = traceFactsOf({
      workspaceId: context.workspaceId,
      traceId,
      cut,
      tree,
      logs,
      joinedExperimentId: context.experimentIds?.[traceId],
    })
    traces.push(makeRows(facts, logs.map(factsWithSpan), rowContext))
    const hasLog = (id: string) => logs.some((log) => log.facts.id === id)
    const scoring = { workspaceId: context.workspaceId, traceId, hasLog }
    for (const log of logs) {
      for (const score of scoresOf(log, scoring)) scores.push(score)
      for (const key of log.read.notUnderstood) count(notUnderstood, key)
    }
  }
  return { traces, scores, notUnderstood: Object.fromEntries(notUnderstood) }
}

function logsOf(piece: CutTrace<ReceivedSpan>, tree: SpanTree<ReceivedSpan>): LogOfSpan[] {
  const inTrace = new Set(piece.spans)
  const parentOf = (span: ReceivedSpan) => {
    const parent = tree.parentOf(span)
    return parent !== undefined && inTrace.has(parent) ? parent : undefined
  }
  const bookkeeping = new Set<ReceivedSpan>()
  const logs = piece.spans.map((span) => {
    const parent = parentOf(span)
    // Parents come before their children.
    if (isBookkeeping(span) || (parent !== undefined && bookkeeping.has(parent))) bookkeeping.add(span)
    const log = logOfSpan(span, { parent, isRoot: span === piece.root })
    // If a client's own request fails, for example because a prompt is missing, the application has handled it.
    return bookkeeping.has(span) ? { ...log, facts: { ...log.facts, hasError: false } } : log
  })
  return settleUsage(logs)
}

/** Names beyond this number are counted together: that many exist only if names contain data. */
const namesMax = 200
const longNameLength = 120

/** Numbers inside names are list indexes, so `a.0.b` and `a.1.b` count as one name. */
function count(counts: Map<string, number>, key: string): void {
  const plain = key.slice(0, longNameLength).replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, 'N')
  const name = counts.has(plain) || counts.size < namesMax ? plain : '(other)'
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
