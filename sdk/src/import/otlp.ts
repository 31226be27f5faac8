/** Files of OpenTelemetry: export requests as JSON, as the collector's file exporter writes them. The service maps them. */
import { makeTrace } from './found-trace.ts'
import { isRecord } from './read-value.ts'
import type { JsonRecord, Source } from './shapes.ts'

const isRequest = (record: JsonRecord): boolean =>
  Array.isArray(record.resourceSpans) || Array.isArray(record.resource_spans)

export const otlp: Source = {
  name: 'otlp',
  title: 'OpenTelemetry',
  recognises: isRequest,
  sort: (record) =>
    isRequest(record)
      ? [{ type: 'otlp', request: toOtlpJson(record) }]
      : [{ type: 'ignored', what: 'record', why: 'it is no export of traces' }],
  // Never called: no record is part of a trace here.
  assemble: (id) => makeTrace('otlp', { id, logs: [] }),
}

/**
 * The form that OTLP prescribes. Libraries for Protocol Buffers write ids in Base64, and may write fields by their names in
 * the schema; earlier versions have libraries in place of scopes. The application names no field: the names of its
 * attributes are values.
 */
const toOtlpJson = (request: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(request).map(([name, value]) => toField(toCamelCase(name), value)))

const toField = (name: string, value: unknown): [string, unknown] => [
  earlierNames[name] ?? name,
  idFields.has(name) && typeof value === 'string' ? toHexId(value) : toValue(value),
]

const toValue = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(toValue) : isRecord(value) ? toOtlpJson(value) : value

const toCamelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())

const earlierNames: Readonly<Record<string, string>> = {
  instrumentationLibrarySpans: 'scopeSpans',
  instrumentationLibrary: 'scope',
}

const idFields: ReadonlySet<string> = new Set(['traceId', 'spanId', 'parentSpanId'])

/** Ids of 16 and 8 bytes; in hexadecimal they have other lengths. */
const toHexId = (id: string): string =>
  /^(?:[A-Za-z0-9+/]{22}==|[A-Za-z0-9+/]{11}=)$/.test(id)
    ? Array.from(atob(id), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
    : id
