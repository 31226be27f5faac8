/** Files of OpenTelemetry: export requests as JSON, as the collector's file exporter writes them. The service maps them. */
import { makeTrace } from './found-trace.ts'
import type { JsonRecord, Source } from './shapes.ts'

const isRequest = (record: JsonRecord): boolean =>
  Array.isArray(record.resourceSpans) || Array.isArray(record.resource_spans)

export const otlp: Source = {
  name: 'otlp',
  title: 'OpenTelemetry',
  recognises: isRequest,
  sort: (record) =>
    isRequest(record)
      ? [{ type: 'otlp', request: record }]
      : [{ type: 'ignored', what: 'record', why: 'it is no export of traces' }],
  // Never called: no record is part of a trace here.
  assemble: (id) => makeTrace('otlp', { id, logs: [] }),
}
