/**
 * Code that protobufjs generated from OpenTelemetry's protobuf definitions. It is half a megabyte, so it loads with the
 * first message: a service without OpenTelemetry never needs it.
 */
import { createRequire } from 'node:module'
import protobufjs from 'protobufjs/minimal.js'
import type { LogsRequest, TraceRequest } from './wire.ts'

/** The response to an export: how many spans or records were rejected, and a sentence on the problems. */
export interface PartialSuccess {
  readonly rejected: number
  readonly message: string
}

export type Signal = 'traces' | 'logs' | 'metrics'

interface Message<Value> {
  decode(bytes: Uint8Array): Value
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
        readonly logs: {
          readonly v1: {
            readonly ExportLogsServiceRequest: Message<LogsRequest>
            readonly ExportLogsServiceResponse: Encoder
          }
        }
      }
    }
  }
}

let root: Root | undefined

function collector(): Root['opentelemetry']['proto']['collector'] {
  // Safe: the generated code has these names; a test decodes messages of real exporters.
  root ??= createRequire(import.meta.url)(
    '@opentelemetry/otlp-transformer/build/src/generated/root.js',
  ) as Root
  return root.opentelemetry.proto.collector
}

export const decodeTraces = (bytes: Uint8Array): TraceRequest =>
  collector().trace.v1.ExportTraceServiceRequest.decode(bytes)

export const decodeLogs = (bytes: Uint8Array): LogsRequest =>
  collector().logs.v1.ExportLogsServiceRequest.decode(bytes)

const nothing = Buffer.alloc(0)

/** The response to an export; a full success is an empty message. */
export function encodeAnswer(signal: Signal, { rejected, message }: PartialSuccess): Buffer {
  if (rejected === 0 && message === '') return nothing
  const { trace, logs } = collector()
  const bytes =
    signal === 'traces'
      ? trace.v1.ExportTraceServiceResponse.encode({
          partialSuccess: { rejectedSpans: rejected, errorMessage: message },
        })
      : logs.v1.ExportLogsServiceResponse.encode({
          partialSuccess: { rejectedLogRecords: rejected, errorMessage: message },
        })
  return Buffer.from(bytes.finish())
}

const messageOfStatus = 2

/** A rejection as `google.rpc.Status`, without its code: HTTP carries the status. */
export function encodeStatus(message: string): Buffer {
  const lengthDelimited = 2
  return Buffer.from(
    protobufjs.Writer.create()
      .uint32((messageOfStatus << 3) | lengthDelimited)
      .string(message)
      .finish(),
  )
}
