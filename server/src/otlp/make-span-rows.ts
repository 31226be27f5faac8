/** Rows of the traces that spans make: the same rows that a trace sent over REST becomes. It asks no store and no clock. */
import type { ScoreRow } from '@plumbline/storage/traces/rows'
import type { Means } from '../monitor/make-log-row.ts'
import type { TraceRows } from '../monitor/make-rows.ts'
import type { ReceivedSpan } from './span.ts'

export { type References, referencesOf } from './references.ts'

export interface SpanRowsContext {
  readonly workspaceId: string
  /** Our trace id of a root: null is the OpenTelemetry trace itself, else the span id of a root that is cut out of it. */
  readonly traceIdOf: (rootSpanId: string | null) => string
}

export interface SpanRows {
  readonly traces: readonly TraceRows[]
  readonly scores: readonly ScoreRow[]
  /** How often each attribute occurred that no convention understood, so that people can see it. */
  readonly notUnderstood: Readonly<Record<string, number>>
}

/** Rows of everything known so far of one OpenTelemetry trace: spans distinct by id, in any order, parents possibly missing. */
export function makeSpanRows(
  _spans: readonly ReceivedSpan[],
  _context: SpanRowsContext,
  _means: Means,
): SpanRows {
  return { traces: [], scores: [], notUnderstood: {} }
}
