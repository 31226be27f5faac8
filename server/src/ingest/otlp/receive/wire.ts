/**
 * An export as decoded. Protobuf and JSON differ only in how they write ids, 64-bit numbers, bytes and enums. Any field
 * may be missing, and in JSON may have any type, so `read-*.ts` check everything.
 */

/** A 64-bit number as decoded by protobufjs. */
export interface Long {
  readonly low: number
  readonly high: number
  readonly unsigned: boolean
}

export type WireInteger = Long | number | string
export type WireBytes = Uint8Array | string
type List<Of> = readonly Of[] | null

export interface WireValue {
  readonly stringValue?: string | null
  readonly boolValue?: boolean | null
  readonly intValue?: WireInteger | null
  readonly doubleValue?: number | string | null
  readonly arrayValue?: { readonly values?: List<WireValue> } | null
  readonly kvlistValue?: { readonly values?: List<WireAttribute> } | null
  readonly bytesValue?: WireBytes | null
}

export interface WireAttribute {
  readonly key?: string | null
  readonly value?: WireValue | null
}

export interface WireEvent {
  readonly timeUnixNano?: WireInteger | null
  readonly name?: string | null
  readonly attributes?: List<WireAttribute>
}

export interface WireLink {
  readonly traceId?: WireBytes | null
  readonly spanId?: WireBytes | null
  readonly attributes?: List<WireAttribute>
}

export interface WireSpan {
  readonly traceId?: WireBytes | null
  readonly spanId?: WireBytes | null
  readonly parentSpanId?: WireBytes | null
  readonly name?: string | null
  readonly kind?: number | string | null
  readonly startTimeUnixNano?: WireInteger | null
  readonly endTimeUnixNano?: WireInteger | null
  readonly attributes?: List<WireAttribute>
  readonly events?: List<WireEvent>
  readonly links?: List<WireLink>
  readonly status?: { readonly code?: number | string | null; readonly message?: string | null } | null
}

export interface WireScope {
  readonly name?: string | null
  readonly version?: string | null
  readonly attributes?: List<WireAttribute>
}

export interface WireResource {
  readonly attributes?: List<WireAttribute>
}

export interface TraceRequest {
  readonly resourceSpans?: List<{
    readonly resource?: WireResource | null
    readonly scopeSpans?: List<{
      readonly scope?: WireScope | null
      readonly spans?: List<WireSpan>
    }>
  }>
}

export interface WireLogRecord {
  readonly timeUnixNano?: WireInteger | null
  readonly observedTimeUnixNano?: WireInteger | null
  readonly eventName?: string | null
  readonly body?: WireValue | null
  readonly attributes?: List<WireAttribute>
  readonly traceId?: WireBytes | null
  readonly spanId?: WireBytes | null
}

export interface LogsRequest {
  readonly resourceLogs?: List<{
    readonly resource?: WireResource | null
    readonly scopeLogs?: List<{
      readonly scope?: WireScope | null
      readonly logRecords?: List<WireLogRecord>
    }>
  }>
}
