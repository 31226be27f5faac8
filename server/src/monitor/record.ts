/**
 * What the spool keeps of an accepted request: its body, byte for byte, and a header with everything that was
 * decided when it was accepted. Rows are made of the two later, and again at a replay, without asking any store.
 */
import type { Resolved } from '../otlp/span.ts'

/** The version that a log's prompt reference was resolved to. */
export interface ServedPrompt {
  readonly slug: string
  /** Null where it may have been either of the two that a rollout serves. */
  readonly version: string | null
  readonly provider: string
  readonly model: string
  /** Only where the input is to be rendered from it. */
  readonly template?: { readonly text: string; readonly systemText: string }
}

interface AcceptedCommon {
  readonly workspaceId: string
  readonly apiKeyId: string
  readonly receivedAtMs: number
}

interface AcceptedRun extends AcceptedCommon {
  readonly traceId: string
  readonly featureSlug: string | null
  readonly isSampled: boolean
  readonly sampleRate: number | null
  /** Absent from records of earlier versions. */
  readonly sampledBy?: string | null
  readonly warning: string | null
}

export interface AcceptedTrace extends AcceptedRun {
  readonly type: 'trace'
  /** By the position of the log in the body. */
  readonly prompts: Readonly<Record<number, ServedPrompt>>
}

export interface AcceptedLog extends AcceptedRun {
  readonly type: 'log'
  readonly logId: string
  readonly prompt: ServedPrompt | null
}

export interface AcceptedScore extends AcceptedCommon {
  readonly type: 'score'
  readonly scoreId: string
  /** Absent in what the service wrote before it kept authors. */
  readonly given?: {
    readonly source: 'api' | 'human'
    readonly author: string
    readonly userId: string | null
    /** The evaluator that a person judged by. */
    readonly evaluator: { readonly slug: string; readonly version: number } | null
    /** Of a score that can be given again, in the place of what was given before: the highest is the one. Else 0. */
    readonly revision: number
  }
}

/** An export of OpenTelemetry: spans, or log records that add events to spans. */
export interface AcceptedSpans extends AcceptedCommon {
  readonly type: 'spans'
  readonly recordId: string
  readonly signal: 'traces' | 'logs'
  readonly encoding: 'protobuf' | 'json'
  /** What spans refer to, each resolution once. */
  readonly resolved: readonly Resolved[]
  /** Which of them is a span's, by its position; most spans refer to nothing. */
  readonly resolvedOf: readonly (readonly [position: number, resolved: number])[]
}

export type Accepted = AcceptedTrace | AcceptedLog | AcceptedScore | AcceptedSpans

const lengthBytes = 4

/** The pieces of a record, in order; the body is not copied. */
export function encodeRecord(accepted: Accepted, body: Buffer): Buffer[] {
  const json = JSON.stringify(accepted)
  const head = Buffer.allocUnsafe(lengthBytes + Buffer.byteLength(json))
  head.writeUInt32LE(head.length - lengthBytes)
  head.write(json, lengthBytes)
  return [head, body]
}

/** The header and the body of a record that this service wrote. */
export function decodeRecord(record: Buffer): { accepted: Accepted; body: Buffer } {
  const end = lengthBytes + record.readUInt32LE()
  // Safe: only `encodeRecord` writes records, and the spool's checksum proves that they are unchanged.
  const accepted = JSON.parse(record.toString('utf8', lengthBytes, end)) as Accepted
  return { accepted, body: record.subarray(end) }
}
