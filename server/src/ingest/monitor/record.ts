/**
 * The spool record of an accepted request: its unchanged body, and a header with every decision made on acceptance.
 * Rows are built from the two later, and again in a replay, without reading any store.
 */
import type { PromptTexts } from '@plumbline/contract/templates'
import type { ResolvedReferences } from '../otlp/span.ts'

/** The version that a log's prompt reference was resolved to. */
export interface ServedPrompt {
  readonly slug: string
  /** Null if either of the two versions of a rollout may have been served. */
  readonly version: string | null
  readonly provider: string
  readonly model: string
  /** Only present when the input has to be rendered from it. */
  readonly template?: PromptTexts
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
  /** Absent from records written before authors were stored. */
  readonly given?: {
    readonly source: 'api' | 'human'
    readonly author: string
    readonly userId: string | null
    /** The evaluator whose criteria the annotator applied. */
    readonly evaluator: { readonly slug: string; readonly version: number } | null
    /** For a score that can be replaced: the highest revision wins. Otherwise 0. */
    readonly revision: number
  }
}

/** An OpenTelemetry export: spans, or log records that add events to spans. */
export interface AcceptedSpans extends AcceptedCommon {
  readonly type: 'spans'
  readonly recordId: string
  readonly signal: 'traces' | 'logs'
  readonly encoding: 'protobuf' | 'json'
  /** The distinct resolved references of the spans. */
  readonly resolved: readonly ResolvedReferences[]
  /** Index into `resolved` by position of the span; most spans have none. */
  readonly resolvedOf: readonly (readonly [position: number, resolved: number])[]
}

export type AcceptedRecord = AcceptedTrace | AcceptedLog | AcceptedScore | AcceptedSpans

const lengthBytes = 4

/** Encodes a record as pieces, in order, without copying the body. */
export function encodeRecord(record: AcceptedRecord, body: Buffer): Buffer[] {
  const json = JSON.stringify(record)
  const head = Buffer.allocUnsafe(lengthBytes + Buffer.byteLength(json))
  head.writeUInt32LE(head.length - lengthBytes)
  head.write(json, lengthBytes)
  return [head, body]
}

/** Decodes a record into header and body. */
export function decodeRecord(record: Buffer): { accepted: AcceptedRecord; body: Buffer } {
  const end = lengthBytes + record.readUInt32LE()
  // Safe: only `encodeRecord` writes records, and the spool's checksum proves that they are unchanged.
  const accepted = JSON.parse(record.toString('utf8', lengthBytes, end)) as AcceptedRecord
  return { accepted, body: record.subarray(end) }
}
