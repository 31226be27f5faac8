/**
 * Decodes requests and encodes responses in protobuf, with code that protobufjs generated from OpenTelemetry's definitions.
 * The code is half a megabyte, so it is loaded with the first message: a service without OpenTelemetry never needs it.
 */
import { createRequire } from 'node:module'
import protobufjs, { type Reader } from 'protobufjs/minimal.js'
import { decodeLogsRequest } from './protobuf-logs.ts'
import type {
  LogsRequest,
  TraceRequest,
  WireAttribute,
  WireResource,
  WireScope,
  WireSpan,
  WireValue,
} from './wire.ts'

/** The response to an export: how many spans or records were rejected, and a sentence on the problems. */
export interface PartialSuccess {
  readonly rejected: number
  readonly message: string
}

export type Signal = 'traces' | 'logs' | 'metrics'

interface Message<Value> {
  decode(bytes: Uint8Array | Reader, length?: number): Value
}

interface Encoder {
  encode(value: object): { finish(): Uint8Array }
}

interface Root {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: {
        readonly trace: {
          readonly v1: {
            readonly ExportTraceServiceRequest: Message<TraceRequest>
            readonly ExportTraceServiceResponse: Encoder
          }
        }
      }
      readonly common: {
        readonly v1: {
          readonly AnyValue: Message<WireValue>
          readonly KeyValue: Message<WireAttribute>
          readonly InstrumentationScope: Message<WireScope>
        }
      }
      readonly resource: { readonly v1: { readonly Resource: Message<WireResource> } }
      readonly trace: { readonly v1: { readonly Span: Message<WireSpan> } }
    }
  }
}

/** The generated messages that log records consist of. */
export interface ValueMessages {
  readonly resource: Message<WireResource>
  readonly scope: Message<WireScope>
  readonly attribute: Message<WireAttribute>
  readonly value: Message<WireValue>
}

let root: Root | undefined

function definitions(): Root['opentelemetry']['proto'] {
  // Safe: the generated code has these names; a test decodes messages of real exporters.
  root ??= createRequire(import.meta.url)(
    '@opentelemetry/otlp-transformer/build/src/generated/root.js',
  ) as Root
  return root.opentelemetry.proto
}

export const decodeTraces = (bytes: Uint8Array): TraceRequest =>
  definitions().collector.trace.v1.ExportTraceServiceRequest.decode(bytes)

export const decodeSpan = (bytes: Uint8Array): WireSpan => definitions().trace.v1.Span.decode(bytes)

/** The generated code has no log messages, only the messages inside them. */
export function decodeLogs(bytes: Uint8Array): LogsRequest {
  const { common, resource } = definitions()
  return decodeLogsRequest(protobufjs.Reader.create(bytes), {
    resource: resource.v1.Resource,
    scope: common.v1.InstrumentationScope,
    attribute: common.v1.KeyValue,
    value: common.v1.AnyValue,
  })
}

const nothing = Buffer.alloc(0)

/** The response to an export; a full success is an empty message. */
export function encodeAnswer(signal: Signal, { rejected, message }: PartialSuccess): Buffer {
  if (rejected === 0 && message === '') return nothing
  if (signal === 'logs') return encodePartialSuccess(rejected, message)
  const { ExportTraceServiceResponse } = definitions().collector.trace.v1
  const partialSuccess = { rejectedSpans: rejected, errorMessage: message }
  return Buffer.from(ExportTraceServiceResponse.encode({ partialSuccess }).finish())
}

/** `ExportLogsServiceResponse`, which the generated code lacks. */
function encodePartialSuccess(rejectedCount: number, message: string): Buffer {
  const partialSuccess = protobufjs.Writer.create()
    .uint32(tag(1, varint))
    .int64(rejectedCount)
    .uint32(tag(2, lengthDelimited))
    .string(message)
    .finish()
  return Buffer.from(
    protobufjs.Writer.create().uint32(tag(1, lengthDelimited)).bytes(partialSuccess).finish(),
  )
}

const varint = 0
const lengthDelimited = 2
const tag = (field: number, wireType: number): number => (field << 3) | wireType

const messageOfStatus = 2

/** A rejection as `google.rpc.Status`, without its code: HTTP carries the status. */
export function encodeStatus(message: string): Buffer {
  return Buffer.from(
    protobufjs.Writer.create().uint32(tag(messageOfStatus, lengthDelimited)).string(message).finish(),
  )
}

/** `google.rpc.Status` with `google.rpc.RetryInfo`, which tells exporters that they may send the export again. */
export function encodeRetryStatus(code: number, message: string, delaySeconds: number): Buffer {
  const duration = protobufjs.Writer.create().uint32(tag(1, varint)).int64(delaySeconds).finish()
  const retryInfo = protobufjs.Writer.create().uint32(tag(1, lengthDelimited)).bytes(duration).finish()
  const any = protobufjs.Writer.create()
    .uint32(tag(1, lengthDelimited))
    .string('type.googleapis.com/google.rpc.RetryInfo')
    .uint32(tag(2, lengthDelimited))
    .bytes(retryInfo)
    .finish()
  return Buffer.from(
    protobufjs.Writer.create()
      .uint32(tag(1, varint))
      .int32(code)
      .uint32(tag(messageOfStatus, lengthDelimited))
      .string(message)
      .uint32(tag(3, lengthDelimited))
      .bytes(any)
      .finish(),
  )
}
