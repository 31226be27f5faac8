/** The stored form of a capture in `fixtures/captures`: its exports pass through the same code from bytes to rows. */
import type { LogRow, SpanRow, TraceRow } from '@plumbline/storage/traces/rows'
import { type ExportFile, readExports } from '../../../fixtures/captures/exports.ts'
import { additionRows, spanRow, spansOfRows } from '../../src/ingest/otlp/assembly/stored-span.ts'
import { interpretSpan } from '../../src/ingest/otlp/interpret-span.ts'
import { makeSpanRows } from '../../src/ingest/otlp/make-span-rows.ts'
import { readLogRecords, readSpans } from '../../src/ingest/otlp/receive/read-export.ts'
import type { ReceivedSpan } from '../../src/ingest/otlp/span.ts'
import { createTemplateCache } from '../../src/workspace/template-cache.ts'
import { nothingResolved, traceIdOf } from '../otlp-spans.ts'

const acceptance = { workspaceId: 'w', apiKeyId: 'key', receivedAtMs: 1_760_000_100_000 }

export interface StoredTrace {
  readonly trace: TraceRow
  readonly logs: readonly LogRow[]
  readonly spans: readonly ReceivedSpan[]
}

/** The traces of a capture, by the start of their first spans. */
export function storedCapture(name: string): StoredTrace[] {
  const rows = Map.groupBy(readExports(name).flatMap(rowsOfExport), ({ otelTraceId }) => otelTraceId)
  return [...rows]
    .flatMap(([otelTraceId, spanRows]) => {
      // The store returns log records in the order of their digests.
      const sorted = spanRows.toSorted((a, b) => (a.addition < b.addition ? -1 : 1))
      const { spans } = spansOfRows(otelTraceId, sorted)
      const context = { overrides: [], templates: createTemplateCache() }
      return makeSpanRows(spans, { workspaceId: 'w', traceIdOf }, context).traces.map((trace) => ({
        ...trace,
        spans,
      }))
    })
    .sort((a, b) => Number(a.trace.startUs - b.trace.startUs))
}

function rowsOfExport({ path, contentType, body }: ExportFile): SpanRow[] {
  const encoding = contentType.includes('json') ? 'json' : 'protobuf'
  return path.endsWith('/logs')
    ? additionRows(readLogRecords(body, encoding).parts, acceptance)
    : readSpans(body, encoding).parts.map((span) => spanRow(span, nothingResolved, acceptance))
}

/** Facts of a log's span that have no column yet. */
export const factsOf = ({ spans }: StoredTrace, { logId }: Pick<LogRow, 'logId'>) => {
  const span = spans.find(({ spanId }) => spanId === logId)
  return span === undefined ? {} : interpretSpan(span).facts
}
