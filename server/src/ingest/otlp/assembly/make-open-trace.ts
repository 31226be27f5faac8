/** Builds the rows of a trace before they are stored. Runs in the recording worker. */

import { decodeRecord } from '../../monitor/record.ts'
import type { RowContext } from '../../monitor/worker/make-log-row.ts'
import { makeSpanRows } from '../make-span-rows.ts'
import { readLogRecords, readSpans } from '../receive/read-export.ts'
import { traceIdOf } from '../trace-id.ts'
import { type AssemblyRequest, linesOf } from './assemble.ts'
import type { OpenTrace } from './open-traces.ts'
import { toSpanRows } from './segment-spans.ts'
import { additionRows, spansOfRows } from './stored-span.ts'

export interface OpenTraceTask {
  readonly assembly: AssemblyRequest
  /** Its spans in the trace store, as `readSpans` returns them. */
  readonly lines: string
  /** Exports in the spool that contain spans of it, the oldest first. */
  readonly records: readonly Uint8Array[]
}

export function makeOpenTrace(
  { assembly, lines, records }: OpenTraceTask,
  rowContext: RowContext,
): OpenTrace {
  const { workspaceId, otelTraceId, experimentIds } = assembly
  const pending = records.flatMap((record) => rowsIn(record, otelTraceId))
  const { spans } = spansOfRows(otelTraceId, [...linesOf(assembly, lines), ...pending])
  const { traces, scores } = makeSpanRows(
    spans,
    {
      workspaceId,
      traceIdOf: (root) => traceIdOf(assembly, root),
      ...(experimentIds === undefined ? {} : { experimentIds }),
    },
    rowContext,
  )
  const sorted = traces.toSorted(({ trace: a }, { trace: b }) =>
    a.startUs === b.startUs ? (a.traceId < b.traceId ? -1 : 1) : a.startUs < b.startUs ? -1 : 1,
  )
  return { traces: sorted, scores }
}

/** The rows of one trace's spans in an export. */
function rowsIn(record: Uint8Array, otelTraceId: string) {
  const { accepted, body } = decodeRecord(Buffer.from(record.buffer, record.byteOffset, record.byteLength))
  if (accepted.type !== 'spans') return []
  const rows =
    accepted.signal === 'traces'
      ? toSpanRows(readSpans(body, accepted.encoding).parts, accepted, accepted)
      : additionRows(readLogRecords(body, accepted.encoding).parts, accepted)
  return rows.filter((row) => row.otelTraceId === otelTraceId)
}
