/**
 * OpenTelemetry's own protobuf definitions, as the code that protobufjs generated from them. Loaded when the first
 * message comes: half a megabyte of code is nothing for a service that never hears of OpenTelemetry.
 */
import { createRequire } from 'node:module'
import protobufjs from 'protobufjs/minimal.js'
import type { LogsRequest, TraceRequest } from './wire.ts'

/** An answer to an export: how many were rejected, and a sentence on what was not taken as it was meant. */
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
  // Safe: these are the names that the generated code has; a test decodes what the exporters send.
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

/** The answer to an export; a full success is an empty message. */
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

/** A refusal, as `google.rpc.Status`; its code is told by HTTP. */
export function encodeStatus(message: string): Buffer {
  const lengthDelimited = 2
  return Buffer.from(
    protobufjs.Writer.create()
      .uint32((messageOfStatus << 3) | lengthDelimited)
      .string(message)
      .finish(),
  )
}
