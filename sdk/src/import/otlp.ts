/** OpenTelemetry files: export requests as JSON, as written by the collector's file exporter. The service maps them. */
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
  // Never called: these files have no records that are part of a trace.
  assemble: (id) => makeTrace('otlp', { id, logs: [] }),
}

/**
 * Converts to the form that OTLP prescribes. Protocol Buffers libraries write ids in Base64, and may use the field names of
 * the schema; earlier versions have libraries instead of scopes. Renaming fields is safe, since names chosen by the
 * application, such as those of attributes, are values.
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

/** The Base64 lengths of ids of 16 and 8 bytes, which differ from those in hexadecimal. */
const toHexId = (id: string): string =>
  /^(?:[A-Za-z0-9+/]{22}==|[A-Za-z0-9+/]{11}=)$/.test(id)
    ? Array.from(atob(id), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
    : id
