/**
 * Encodes rows as NDJSON lines, with the columns of `schema.sql`. Every trace passes through here, so the lines are
 * concatenated by hand: that is twice as fast as building an object to stringify.
 */
import {
  type RecordedField,
  recordedLogFields,
  recordedTraceFields,
} from '@plumbline/contract/recorded-values'
import type { LogRow, ScoreRow, TraceRow } from './row-types.ts'

/** The extra columns of a trace assembled from spans. */
export type AssembledRow = { readonly revision: number; readonly otelTraceId: string }

/** One line for the table `traces`. */
export const encodeTraceRow = (row: TraceRow): string => traceLine(row, '')

/** The same for a trace assembled from spans. */
export const encodeAssembledTraceRow = (row: TraceRow, { revision, otelTraceId }: AssembledRow): string =>
  traceLine(row, `,"revision":${revision},"otel_trace_id":${text(otelTraceId)}`)

function traceLine(row: TraceRow, more: string): string {
  return `{"workspace_id":${text(row.workspaceId)},"trace_id":${text(row.traceId)},"received_at":${text(arrival(row.traceId))},"start_us":${row.startUs},"end_us":${row.endUs},"duration_us":${row.durationUs},"name":${text(row.name)},"feature_slug":${orNull(row.featureSlug)},"experiment_id":${orNull(row.experimentId)},"user_id":${orNull(row.userId)},"user_name":${orNull(row.userName)},"organization_id":${orNull(row.organizationId)},"organization_name":${orNull(row.organizationName)},"input":${value(row.input)},"output":${value(row.output)},"ideal_output":${value(row.idealOutput)},"metadata":${value(row.metadata)},"metadata_texts":${metadataTexts(row.metadata)},"evaluators":${value(row.evaluators)},"judges":${list(row.judges)},"evaluation_config":${value(row.evaluationConfig)},"sampled":${row.sampled},"sample_rate":${row.sampleRate},"sampled_by":${value(row.sampledBy)},"warning":${value(row.warning)},"api_key_id":${orNull(row.apiKeyId)},"input_tokens":${row.inputTokens},"output_tokens":${row.outputTokens},"cost":${row.cost},"tokens_estimated":${row.tokensEstimated},"errors":${row.errors},"log_count":${row.logCount},"models":${list(row.models)},"log_types":${list(row.logTypes)},"prompts":[${row.prompts.map((prompt) => `[${text(prompt.slug)},${value(prompt.version)}]`).join(',')}],"sent":${value(row.sent)}${traceFieldsOf(row)}${more}}\n`
}

/** One line for the table `logs`. */
export const encodeLogRow = (row: LogRow): string => logLine(row, '')

/** The same for a trace assembled from spans. */
export const encodeAssembledLogRow = (row: LogRow, { revision }: AssembledRow): string =>
  logLine(row, `,"revision":${revision}`)

function logLine(row: LogRow, more: string): string {
  return `{"workspace_id":${text(row.workspaceId)},"trace_id":${text(row.traceId)},"received_at":${text(arrival(row.traceId))},"trace_start_us":${row.traceStartUs},"position":${row.position},"log_id":${text(row.logId)},"parent_id":${orNull(row.parentId)},"type":${text(row.type)},"name":${orNull(row.name)},"start_us":${row.startUs},"end_us":${row.endUs},"duration_us":${row.durationUs},"input":${value(row.input)},"output":${value(row.output)},"ideal_output":${value(row.idealOutput)},"metadata":${value(row.metadata)},"evaluators":${value(row.evaluators)},"variables":${value(row.variables)},"prompt":${value(row.prompt)},"prompt_slug":${orNull(row.promptSlug)},"prompt_version":${orNull(row.promptVersion)},"model":${orNull(row.model)},"provider":${orNull(row.provider)},"input_tokens":${row.inputTokens},"output_tokens":${row.outputTokens},"tokens_estimated":${row.tokensEstimated},"fresh_input_tokens":${row.freshInputTokens},"cache_read_tokens":${row.cacheReadTokens},"cache_write_tokens":${row.cacheWriteTokens},"text_output_tokens":${row.textOutputTokens},"reasoning_tokens":${row.reasoningTokens},"cost":${row.cost},"cost_estimate":${row.costEstimate},"cost_detail":${value(row.costDetail)},"counts_in_totals":${row.countsInTotals},"cost_in_totals":${row.costInTotals},"has_error":${row.hasError},"feature_slug":${orNull(row.featureSlug)},"experiment_id":${orNull(row.experimentId)},"user_id":${orNull(row.userId)},"organization_id":${orNull(row.organizationId)},"sent":${value(row.sent)}${logFieldsOf(row)}${more}}\n`
}

/** One line for the table `scores`. */
export function encodeScoreRow(row: ScoreRow): string {
  return `{"workspace_id":${text(row.workspaceId)},"score_id":${text(row.scoreId)},"trace_id":${text(row.traceId)},"log_id":${orNull(row.logId)},"name":${text(row.name)},"value":${text(JSON.stringify(row.value))},"number":${numberOf(row.value)},"comment":${orNull(row.comment)},"created_at":${text(isoMs(row.createdAtMs))},"source":${text(row.source)},"evaluator_slug":${orNull(row.evaluatorSlug)},"evaluator_version":${orNull(row.evaluatorVersion)},"model":${orNull(row.model)},"cost":${row.cost},"input_tokens":${row.inputTokens},"output_tokens":${row.outputTokens},"api_key_id":${orNull(row.apiKeyId)},"author":${orNull(row.author)},"user_id":${orNull(row.userId)},"revision":${row.revision}}\n`
}

/** One span, or one event that arrived separately, as each assembly reads it. */
export type SpanRow = {
  readonly workspaceId: string
  readonly otelTraceId: string
  readonly spanId: string
  readonly addition: string
  readonly receivedAtMs: number
  /** Among rows of one span, an ended one takes precedence. */
  readonly isEnded: boolean
  readonly apiKeyId: string
  readonly resolved: string
  readonly span: string
}

/** Larger than any time in milliseconds. */
const endedVersionOffset = 2 ** 50

/** One line for the table `spans`. */
export function encodeSpanRow(row: SpanRow): string {
  return `{"workspace_id":${text(row.workspaceId)},"otel_trace_id":"${row.otelTraceId}","span_id":"${row.spanId}","addition":"${row.addition}","received_at":${text(isoMs(row.receivedAtMs))},"version":${row.receivedAtMs + (row.isEnded ? endedVersionOffset : 0)},"api_key_id":${text(row.apiKeyId)},"resolved":${text(row.resolved)},"span":${text(row.span)}}\n`
}

/** The columns of fields that are stored as they were sent. */
function recordedEncoder<Values>(fields: readonly RecordedField<Values>[]): (row: Values) => string {
  const encoders = fields.map(({ name, column, type }) => {
    const key = `,"${column}":`
    // Safe: the row has a value of this type under this name.
    if (type === 'list') return (row: Values): string => key + list(row[name] as readonly string[])
    if (type === 'number') return (row: Values): string => key + String(row[name])
    return (row: Values): string => key + orNull(row[name] as string | null)
  })
  return (row) => {
    let columns = ''
    for (const encode of encoders) columns += encode(row)
    return columns
  }
}

const traceFieldsOf = recordedEncoder(recordedTraceFields)
const logFieldsOf = recordedEncoder(recordedLogFields)

/** The creation time of a UUIDv7, which is when its record arrived. */
export function arrivalMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** A lone surrogate is not UTF-8, and would make the engine reject the whole batch. */
function text(plain: string): string {
  return JSON.stringify(plain.isWellFormed() ? plain : plain.toWellFormed())
}

function orNull(plain: string | null): string {
  return plain === null ? 'null' : text(plain)
}

/** An absent value is stored as the empty text, which is not JSON. */
function value(json: string | null): string {
  return json === null ? '""' : text(json)
}

function list(texts: readonly string[]): string {
  return `[${texts.map(text).join(',')}]`
}

/** Top-level keys with the texts that filters compare: strings as they are, other values as JSON. */
function metadataTexts(metadata: string | null): string {
  if (metadata === null || metadata === '{}') return '{}'
  const pairs = Object.entries(JSON.parse(metadata) as Record<string, unknown>)
  return `{${pairs
    .map(
      ([key, metadataValue]) =>
        `${text(key)}:${text(typeof metadataValue === 'string' ? metadataValue : JSON.stringify(metadataValue))}`,
    )
    .join(',')}}`
}

/** A boolean counts as 1 or 0, so that its average is a proportion. */
function numberOf(value: ScoreRow['value']): number | null {
  return typeof value === 'string' ? null : Number(value)
}

function arrival(id: string): string {
  return isoMs(arrivalMs(id))
}

/** The format of DateTime64(3) that ClickHouse parses fastest. */
function isoMs(timeMs: number): string {
  const iso = new Date(timeMs).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`
}
