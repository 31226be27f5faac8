/**
 * Rows of the traces that spans make: the same rows that a trace sent over REST becomes. It asks no store and no
 * clock, so that spans read before they are drained, and ones replayed after a crash, are the same.
 */
import type { ScoreRow } from '@plumbline/storage/traces/rows'
import type { Means } from '../monitor/make-log-row.ts'
import { makeRows, type TraceRows } from '../monitor/make-rows.ts'
import { type CutTrace, cutTraces } from './cut-traces.ts'
import { type LogOfSpan, logOfSpan } from './log-of-span.ts'
import { scoresOf } from './scores-of-span.ts'
import { settleUsage } from './settle-usage.ts'
import type { ReceivedSpan } from './span.ts'
import { type SpanTree, treeOf } from './span-tree.ts'
import { traceFactsOf } from './trace-of-spans.ts'

export { type References, referencesOf } from './references.ts'

export interface SpanRowsContext {
  readonly workspaceId: string
  /** Our trace id of a root: null is the OpenTelemetry trace itself, else the span id of a root that is cut out of it. */
  readonly traceIdOf: (rootSpanId: string | null) => string
  /** Experiments that traces have joined after they were recorded, by our trace id. */
  readonly joined?: Readonly<Record<string, string>>
}

export interface SpanRows {
  readonly traces: readonly TraceRows[]
  readonly scores: readonly ScoreRow[]
  /** How often each attribute occurred that no convention understood, so that people can see it. */
  readonly notUnderstood: Readonly<Record<string, number>>
}

/** Rows of everything known so far of one OpenTelemetry trace: spans distinct by id, in any order, parents possibly missing. */
export function makeSpanRows(
  spans: readonly ReceivedSpan[],
  context: SpanRowsContext,
  means: Means,
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
      joined: context.joined?.[traceId],
    })
    traces.push(
      makeRows(
        facts,
        logs.map(({ facts: log }) => log),
        means,
      ),
    )
    for (const log of logs) {
      for (const score of scoresOf(log, { workspaceId: context.workspaceId, traceId })) scores.push(score)
      for (const key of log.read.notUnderstood) count(notUnderstood, key)
    }
  }
  return { traces, scores, notUnderstood: Object.fromEntries(notUnderstood) }
}

function logsOf(cut: CutTrace<ReceivedSpan>, tree: SpanTree<ReceivedSpan>): LogOfSpan[] {
  const inTrace = new Set(cut.spans)
  const parentOf = (span: ReceivedSpan) => {
    const parent = tree.parentOf(span)
    return parent !== undefined && inTrace.has(parent) ? parent : undefined
  }
  const logs = cut.spans.map((span) => logOfSpan(span, { parent: parentOf(span), isRoot: span === cut.root }))
  return settleUsage(logs)
}

/** Names beyond this many are counted together: they are made of somebody's data. */
const namesMax = 200
const longNameLength = 120

/** Numbers inside names are places in lists, which are not told apart. */
function count(counts: Map<string, number>, key: string): void {
  const plain = key.slice(0, longNameLength).replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, 'N')
  const name = counts.has(plain) || counts.size < namesMax ? plain : '(other)'
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
