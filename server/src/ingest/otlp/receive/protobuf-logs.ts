/** Decodes an `ExportLogsServiceRequest`: OpenTelemetry's generated JavaScript has no log messages. */
import type { Reader } from 'protobufjs/minimal.js'
import type { ValueMessages } from './protobuf.ts'
import type { LogsRequest, WireAttribute, WireLogRecord, WireResource, WireScope } from './wire.ts'

type ResourceLogs = NonNullable<LogsRequest['resourceLogs']>[number]
type ScopeLogs = NonNullable<ResourceLogs['scopeLogs']>[number]

/** Field numbers are those of `opentelemetry/proto/logs/v1/logs.proto`. */
export function decodeLogsRequest(reader: Reader, messages: ValueMessages): LogsRequest {
  const resourceLogs: ResourceLogs[] = []
  readFields(reader, reader.len, (field) => {
    if (field !== 1) return false
    resourceLogs.push(decodeResourceLogs(reader, messages))
    return true
  })
  return { resourceLogs }
}

function decodeResourceLogs(reader: Reader, messages: ValueMessages): ResourceLogs {
  let resource: WireResource | null = null
  const scopeLogs: ScopeLogs[] = []
  readFields(reader, reader.uint32() + reader.pos, (field) => {
    if (field === 1) resource = messages.resource.decode(reader, reader.uint32())
    else if (field === 2) scopeLogs.push(decodeScopeLogs(reader, messages))
    else return false
    return true
  })
  return { resource, scopeLogs }
}

function decodeScopeLogs(reader: Reader, messages: ValueMessages): ScopeLogs {
  let scope: WireScope | null = null
  const logRecords: WireLogRecord[] = []
  readFields(reader, reader.uint32() + reader.pos, (field) => {
    if (field === 1) scope = messages.scope.decode(reader, reader.uint32())
    else if (field === 2) logRecords.push(decodeLogRecord(reader, messages))
    else return false
    return true
  })
  return { scope, logRecords }
}

function decodeLogRecord(reader: Reader, { attribute, value }: ValueMessages): WireLogRecord {
  const record: { -readonly [Field in keyof WireLogRecord]: WireLogRecord[Field] } = {}
  const attributes: WireAttribute[] = []
  readFields(reader, reader.uint32() + reader.pos, (field) => {
    switch (field) {
      case 1:
        record.timeUnixNano = reader.fixed64()
        return true
      case 5:
        record.body = value.decode(reader, reader.uint32())
        return true
      case 6:
        attributes.push(attribute.decode(reader, reader.uint32()))
        return true
      case 9:
        record.traceId = reader.bytes()
        return true
      case 10:
        record.spanId = reader.bytes()
        return true
      case 11:
        record.observedTimeUnixNano = reader.fixed64()
        return true
      case 12:
        record.eventName = reader.string()
        return true
      default:
        return false
    }
  })
  return { ...record, attributes }
}

/** Reads the fields up to `end`; skips those for which `readField` returns false. */
function readFields(reader: Reader, end: number, readField: (field: number) => boolean): void {
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (!readField(tag >>> 3)) reader.skipType(tag & 7)
  }
}
