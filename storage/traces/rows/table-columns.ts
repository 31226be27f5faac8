/** The columns that rows fill in each table, with their types in a block and how each value is taken from a row. */
import {
  type RecordedField,
  recordedLogFields,
  recordedTraceFields,
} from '@plumbline/contract/recorded-values'
import { parseJsonText } from '../../parse-json-text.ts'
import type { Table } from '../types.ts'
import {
  count,
  flag,
  float,
  floatOrNull,
  floatsByText,
  integer,
  integerOrNull,
  text,
  textOrNull,
  textPairs,
  texts,
  textsByText,
  time,
  uuid,
  uuidOrNull,
  version,
} from './column-types.ts'
import { BlockWriter, type Column, column, encodeRows } from './row-block.ts'
import type { LogRow, ScoreRow, TraceRow } from './row-types.ts'

/** The extra columns of a trace assembled from spans. */
export type AssembledRow = { readonly revision: number; readonly otelTraceId: string }

/** One span, or one event that arrived separately, as assembly reads it. */
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

type Columns<Row> = readonly Column<Row>[]

export type RowOfAssembly<Row> = AssembledRow & { readonly row: Row }

export const traceColumns: Columns<RowOfAssembly<TraceRow>> = [
  column('workspace_id', text, ({ row }) => row.workspaceId),
  column('trace_id', uuid, ({ row }) => row.traceId),
  column('received_at', time, ({ row }) => arrivalMs(row.traceId)),
  column('start_us', integer, ({ row }) => row.startUs),
  column('end_us', integerOrNull, ({ row }) => row.endUs),
  column('duration_us', integerOrNull, ({ row }) => row.durationUs),
  column('name', text, ({ row }) => row.name),
  column('feature_slug', textOrNull, ({ row }) => row.featureSlug),
  column('experiment_id', textOrNull, ({ row }) => row.experimentId),
  column('user_id', textOrNull, ({ row }) => row.userId),
  column('user_name', textOrNull, ({ row }) => row.userName),
  column('organization_id', textOrNull, ({ row }) => row.organizationId),
  column('organization_name', textOrNull, ({ row }) => row.organizationName),
  ...recordedColumns(recordedTraceFields),
  column('input', text, ({ row }) => row.input ?? ''),
  column('output', text, ({ row }) => row.output ?? ''),
  column('ideal_output', text, ({ row }) => row.idealOutput ?? ''),
  column('metadata', text, ({ row }) => row.metadata ?? ''),
  column('metadata_texts', textsByText, ({ row }) => metadataTexts(row.metadata)),
  column('evaluators', text, ({ row }) => row.evaluators ?? ''),
  column('judges', texts, ({ row }) => row.judges),
  column('evaluation_config', text, ({ row }) => row.evaluationConfig ?? ''),
  column('sampled', flag, ({ row }) => row.sampled),
  column('sample_rate', floatOrNull, ({ row }) => row.sampleRate),
  column('sampled_by', text, ({ row }) => row.sampledBy ?? ''),
  column('warning', text, ({ row }) => row.warning ?? ''),
  column('api_key_id', textOrNull, ({ row }) => row.apiKeyId),
  column('input_tokens', float, ({ row }) => row.inputTokens),
  column('output_tokens', float, ({ row }) => row.outputTokens),
  column('cost', floatOrNull, ({ row }) => row.cost),
  column('tokens_estimated', flag, ({ row }) => row.tokensEstimated),
  column('errors', count, ({ row }) => row.errors),
  column('log_count', count, ({ row }) => row.logCount),
  column('models', texts, ({ row }) => row.models),
  column('log_types', texts, ({ row }) => row.logTypes),
  column('prompts', textPairs, ({ row }) => row.prompts.map(({ slug, version }) => [slug, version ?? ''])),
  column('sent', text, ({ row }) => row.sent ?? ''),
  column('revision', version, ({ revision }) => revision),
  column('otel_trace_id', text, ({ otelTraceId }) => otelTraceId),
]

export const logColumns: Columns<RowOfAssembly<LogRow>> = [
  column('workspace_id', text, ({ row }) => row.workspaceId),
  column('trace_id', uuid, ({ row }) => row.traceId),
  column('received_at', time, ({ row }) => arrivalMs(row.traceId)),
  column('trace_start_us', integer, ({ row }) => row.traceStartUs),
  column('position', count, ({ row }) => row.position),
  column('log_id', text, ({ row }) => row.logId),
  column('parent_id', textOrNull, ({ row }) => row.parentId),
  column('type', text, ({ row }) => row.type),
  column('name', textOrNull, ({ row }) => row.name),
  column('start_us', integerOrNull, ({ row }) => row.startUs),
  column('end_us', integerOrNull, ({ row }) => row.endUs),
  column('duration_us', integerOrNull, ({ row }) => row.durationUs),
  ...recordedColumns(recordedLogFields),
  column('input', text, ({ row }) => row.input ?? ''),
  column('output', text, ({ row }) => row.output ?? ''),
  column('ideal_output', text, ({ row }) => row.idealOutput ?? ''),
  column('metadata', text, ({ row }) => row.metadata ?? ''),
  column('evaluators', text, ({ row }) => row.evaluators ?? ''),
  column('variables', text, ({ row }) => row.variables ?? ''),
  column('prompt', text, ({ row }) => row.prompt ?? ''),
  column('prompt_slug', textOrNull, ({ row }) => row.promptSlug),
  column('prompt_version', textOrNull, ({ row }) => row.promptVersion),
  column('model', textOrNull, ({ row }) => row.model),
  column('provider', textOrNull, ({ row }) => row.provider),
  column('input_tokens', floatOrNull, ({ row }) => row.inputTokens),
  column('output_tokens', floatOrNull, ({ row }) => row.outputTokens),
  column('tokens_estimated', flag, ({ row }) => row.tokensEstimated),
  column('fresh_input_tokens', floatOrNull, ({ row }) => row.freshInputTokens),
  column('cache_read_tokens', floatOrNull, ({ row }) => row.cacheReadTokens),
  column('cache_write_tokens', floatOrNull, ({ row }) => row.cacheWriteTokens),
  column('text_output_tokens', floatOrNull, ({ row }) => row.textOutputTokens),
  column('reasoning_tokens', floatOrNull, ({ row }) => row.reasoningTokens),
  column('other_tokens', floatsByText, ({ row }) => Object.entries(row.otherTokens)),
  column('service_tier', text, ({ row }) => row.serviceTier ?? ''),
  column('cost', floatOrNull, ({ row }) => row.cost),
  column('cost_estimate', floatOrNull, ({ row }) => row.costEstimate),
  column('cost_detail', text, ({ row }) => row.costDetail ?? ''),
  column('counts_in_totals', flag, ({ row }) => row.countsInTotals),
  column('cost_in_totals', floatOrNull, ({ row }) => row.costInTotals),
  column('has_error', flag, ({ row }) => row.hasError),
  column('feature_slug', textOrNull, ({ row }) => row.featureSlug),
  column('experiment_id', textOrNull, ({ row }) => row.experimentId),
  column('user_id', textOrNull, ({ row }) => row.userId),
  column('organization_id', textOrNull, ({ row }) => row.organizationId),
  column('sent', text, ({ row }) => row.sent ?? ''),
  column('revision', version, ({ revision }) => revision),
]

const scoreColumns: Columns<ScoreRow> = [
  column('workspace_id', text, (row) => row.workspaceId),
  column('score_id', uuid, (row) => row.scoreId),
  column('trace_id', uuid, (row) => row.traceId),
  column('log_id', textOrNull, (row) => row.logId),
  column('session_id', textOrNull, (row) => row.sessionId),
  column('name', text, (row) => row.name),
  column('value', text, (row) => JSON.stringify(row.value)),
  column('number', floatOrNull, (row) => numberOf(row.value)),
  column('comment', textOrNull, (row) => row.comment),
  column('created_at', time, (row) => row.createdAtMs),
  column('source', text, (row) => row.source),
  column('evaluator_slug', textOrNull, (row) => row.evaluatorSlug),
  column('evaluator_version', textOrNull, (row) => row.evaluatorVersion),
  column('model', textOrNull, (row) => row.model),
  column('judge_trace_id', uuidOrNull, (row) => row.judgeTraceId),
  column('cost', floatOrNull, (row) => row.cost),
  column('input_tokens', floatOrNull, (row) => row.inputTokens),
  column('output_tokens', floatOrNull, (row) => row.outputTokens),
  column('api_key_id', textOrNull, (row) => row.apiKeyId),
  column('author', textOrNull, (row) => row.author),
  column('user_id', textOrNull, (row) => row.userId),
  column('revision', version, (row) => row.revision),
]

/** Larger than any time in milliseconds. */
const endedVersionOffset = 2 ** 50

const spanColumns: Columns<SpanRow> = [
  column('workspace_id', text, (row) => row.workspaceId),
  column('otel_trace_id', text, (row) => row.otelTraceId),
  column('span_id', text, (row) => row.spanId),
  column('addition', text, (row) => row.addition),
  column('received_at', time, (row) => row.receivedAtMs),
  column('version', version, (row) => row.receivedAtMs + (row.isEnded ? endedVersionOffset : 0)),
  column('api_key_id', text, (row) => row.apiKeyId),
  column('resolved', text, (row) => row.resolved),
  column('span', text, (row) => row.span),
]

/** The names of the columns, in order. */
export const columnsOfTable: Readonly<Record<Table, readonly string[]>> = {
  traces: namesOf(traceColumns),
  logs: namesOf(logColumns),
  scores: namesOf(scoreColumns),
  spans: namesOf(spanColumns),
}

/** For a trace that arrived whole. */
const whole: AssembledRow = { revision: 0, otelTraceId: '' }

export const assembledRows = <Row>(rows: readonly Row[], origin = whole): RowOfAssembly<Row>[] =>
  rows.map((row) => ({ row, revision: origin.revision, otelTraceId: origin.otelTraceId }))

/** A block for the table `traces`. */
export const encodeTraces = (rows: readonly TraceRow[], origin?: AssembledRow): Buffer =>
  encodeRows(traceColumns, assembledRows(rows, origin))

/** A block for the table `logs`. */
export const encodeLogs = (rows: readonly LogRow[], origin?: AssembledRow): Buffer =>
  encodeRows(logColumns, assembledRows(rows, origin))

/** A block for the table `scores`. */
export const encodeScores = (rows: readonly ScoreRow[]): Buffer => encodeRows(scoreColumns, rows)

/** A block for the table `spans`. */
export const encodeSpans = (rows: readonly SpanRow[]): Buffer => encodeRows(spanColumns, rows)

/** Collects a block for the table `spans`. */
export const makeSpanWriter = (): BlockWriter<SpanRow> => new BlockWriter(spanColumns)

/** Rows that are stored together. */
export interface NewRows {
  readonly traces?: readonly { readonly trace: TraceRow; readonly logs: readonly LogRow[] }[]
  readonly scores?: readonly ScoreRow[]
}

/** Collects the blocks of traces with their logs and scores. */
export class TraceBlocks {
  readonly #traces = new BlockWriter(traceColumns)
  readonly #logs = new BlockWriter(logColumns)
  readonly #scores = new BlockWriter(scoreColumns)

  /** Adds all of these rows or, after an error, none. */
  append({ traces = [], scores = [] }: NewRows, origin: AssembledRow = whole): void {
    const before = this.rows
    try {
      for (const { trace, logs } of traces) {
        this.#logs.append(assembledRows(logs, origin))
        this.#traces.append(assembledRows([trace], origin))
      }
      this.#scores.append(scores)
    } catch (error) {
      this.#traces.truncate(before.traces)
      this.#logs.truncate(before.logs)
      this.#scores.truncate(before.scores)
      throw error
    }
  }

  /** The number of rows of each table so far. */
  get rows(): Readonly<Record<'traces' | 'logs' | 'scores', number>> {
    return { traces: this.#traces.rows, logs: this.#logs.rows, scores: this.#scores.rows }
  }

  take(): Readonly<Record<'traces' | 'logs' | 'scores', Buffer>> {
    return { traces: this.#traces.take(), logs: this.#logs.take(), scores: this.#scores.take() }
  }
}

/** The columns of fields that are stored as they were sent. */
function recordedColumns<Row extends Values, Values>(
  fields: readonly RecordedField<Values>[],
): Columns<RowOfAssembly<Row>> {
  return fields.map(({ name, column: columnName, type }) => {
    // Safe: the row has a value of this type under this name.
    if (type === 'list') return column(columnName, texts, ({ row }) => row[name] as readonly string[])
    if (type === 'number') return column(columnName, floatOrNull, ({ row }) => row[name] as number | null)
    return column(columnName, textOrNull, ({ row }) => row[name] as string | null)
  })
}

function namesOf<Row>(columns: Columns<Row>): readonly string[] {
  return columns.map(({ name }) => name)
}

/** The creation time of a UUIDv7, which is when its record arrived. */
export function arrivalMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** Top-level keys with the texts that filters compare: strings as they are, other values as JSON. */
function metadataTexts(metadata: string | null): readonly (readonly [string, string])[] {
  if (metadata === null || metadata === '{}') return []
  const entries = Object.entries(parseJsonText(metadata) as Record<string, unknown>)
  return entries.map(([key, entry]) => [key, typeof entry === 'string' ? entry : JSON.stringify(entry)])
}

/** A boolean counts as 1 or 0, so that its average is a proportion. */
function numberOf(value: ScoreRow['value']): number | null {
  return typeof value === 'string' ? null : Number(value)
}
