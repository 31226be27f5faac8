/** Encodes rows as lines of TabSeparated: for each table its columns, in the order of the cells, with how each is made. */
import {
  type RecordedField,
  recordedLogFields,
  recordedTraceFields,
} from '@plumbline/contract/recorded-values'
import type { Table } from '../types.ts'
import type { LogRow, ScoreRow, TraceRow } from './row-types.ts'
import {
  listCell,
  mapCell,
  numberCell,
  numberMapCell,
  pairsCell,
  readCells,
  textCell,
  textOrNullCell,
} from './tab-separated.ts'

/** The extra columns of a trace assembled from spans. */
export type AssembledRow = { readonly revision: number; readonly otelTraceId: string }

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

type Cell<Row> = (row: Row, assembled: AssembledRow) => string
type Cells<Row> = readonly (readonly [column: string, cell: Cell<Row>])[]

/** An absent value is stored as the empty text, which is not JSON. */
const value = (json: string | null): string => (json === null ? '' : textCell(json))

const traceCells: Cells<TraceRow> = [
  ['workspace_id', (row) => textCell(row.workspaceId)],
  ['trace_id', (row) => row.traceId],
  ['received_at', (row) => timeCell(arrivalMs(row.traceId))],
  ['start_us', (row) => numberCell(row.startUs)],
  ['end_us', (row) => numberCell(row.endUs)],
  ['duration_us', (row) => numberCell(row.durationUs)],
  ['name', (row) => textCell(row.name)],
  ['feature_slug', (row) => textOrNullCell(row.featureSlug)],
  ['experiment_id', (row) => textOrNullCell(row.experimentId)],
  ['user_id', (row) => textOrNullCell(row.userId)],
  ['user_name', (row) => textOrNullCell(row.userName)],
  ['organization_id', (row) => textOrNullCell(row.organizationId)],
  ['organization_name', (row) => textOrNullCell(row.organizationName)],
  ...recordedCells(recordedTraceFields),
  ['input', (row) => value(row.input)],
  ['output', (row) => value(row.output)],
  ['ideal_output', (row) => value(row.idealOutput)],
  ['metadata', (row) => value(row.metadata)],
  ['metadata_texts', (row) => metadataTexts(row.metadata)],
  ['evaluators', (row) => value(row.evaluators)],
  ['judges', (row) => listCell(row.judges)],
  ['evaluation_config', (row) => value(row.evaluationConfig)],
  ['sampled', (row) => String(row.sampled)],
  ['sample_rate', (row) => numberCell(row.sampleRate)],
  ['sampled_by', (row) => value(row.sampledBy)],
  ['warning', (row) => value(row.warning)],
  ['api_key_id', (row) => textOrNullCell(row.apiKeyId)],
  ['input_tokens', (row) => numberCell(row.inputTokens)],
  ['output_tokens', (row) => numberCell(row.outputTokens)],
  ['cost', (row) => numberCell(row.cost)],
  ['tokens_estimated', (row) => String(row.tokensEstimated)],
  ['errors', (row) => numberCell(row.errors)],
  ['log_count', (row) => numberCell(row.logCount)],
  ['models', (row) => listCell(row.models)],
  ['log_types', (row) => listCell(row.logTypes)],
  ['prompts', (row) => pairsCell(row.prompts.map(({ slug, version }) => [slug, version ?? '']))],
  ['sent', (row) => value(row.sent)],
  ['revision', (_, { revision }) => numberCell(revision)],
  ['otel_trace_id', (_, { otelTraceId }) => textCell(otelTraceId)],
]

const logCells: Cells<LogRow> = [
  ['workspace_id', (row) => textCell(row.workspaceId)],
  ['trace_id', (row) => row.traceId],
  ['received_at', (row) => timeCell(arrivalMs(row.traceId))],
  ['trace_start_us', (row) => numberCell(row.traceStartUs)],
  ['position', (row) => numberCell(row.position)],
  ['log_id', (row) => textCell(row.logId)],
  ['parent_id', (row) => textOrNullCell(row.parentId)],
  ['type', (row) => textCell(row.type)],
  ['name', (row) => textOrNullCell(row.name)],
  ['start_us', (row) => numberCell(row.startUs)],
  ['end_us', (row) => numberCell(row.endUs)],
  ['duration_us', (row) => numberCell(row.durationUs)],
  ...recordedCells(recordedLogFields),
  ['input', (row) => value(row.input)],
  ['output', (row) => value(row.output)],
  ['ideal_output', (row) => value(row.idealOutput)],
  ['metadata', (row) => value(row.metadata)],
  ['evaluators', (row) => value(row.evaluators)],
  ['variables', (row) => value(row.variables)],
  ['prompt', (row) => value(row.prompt)],
  ['prompt_slug', (row) => textOrNullCell(row.promptSlug)],
  ['prompt_version', (row) => textOrNullCell(row.promptVersion)],
  ['model', (row) => textOrNullCell(row.model)],
  ['provider', (row) => textOrNullCell(row.provider)],
  ['input_tokens', (row) => numberCell(row.inputTokens)],
  ['output_tokens', (row) => numberCell(row.outputTokens)],
  ['tokens_estimated', (row) => String(row.tokensEstimated)],
  ['fresh_input_tokens', (row) => numberCell(row.freshInputTokens)],
  ['cache_read_tokens', (row) => numberCell(row.cacheReadTokens)],
  ['cache_write_tokens', (row) => numberCell(row.cacheWriteTokens)],
  ['text_output_tokens', (row) => numberCell(row.textOutputTokens)],
  ['reasoning_tokens', (row) => numberCell(row.reasoningTokens)],
  ['other_tokens', (row) => numberMapCell(Object.entries(row.otherTokens))],
  ['service_tier', (row) => value(row.serviceTier)],
  ['cost', (row) => numberCell(row.cost)],
  ['cost_estimate', (row) => numberCell(row.costEstimate)],
  ['cost_detail', (row) => value(row.costDetail)],
  ['counts_in_totals', (row) => String(row.countsInTotals)],
  ['cost_in_totals', (row) => numberCell(row.costInTotals)],
  ['has_error', (row) => String(row.hasError)],
  ['feature_slug', (row) => textOrNullCell(row.featureSlug)],
  ['experiment_id', (row) => textOrNullCell(row.experimentId)],
  ['user_id', (row) => textOrNullCell(row.userId)],
  ['organization_id', (row) => textOrNullCell(row.organizationId)],
  ['sent', (row) => value(row.sent)],
  ['revision', (_, { revision }) => numberCell(revision)],
]

const scoreCells: Cells<ScoreRow> = [
  ['workspace_id', (row) => textCell(row.workspaceId)],
  ['score_id', (row) => row.scoreId],
  ['trace_id', (row) => row.traceId],
  ['log_id', (row) => textOrNullCell(row.logId)],
  ['session_id', (row) => textOrNullCell(row.sessionId)],
  ['name', (row) => textCell(row.name)],
  ['value', (row) => textCell(JSON.stringify(row.value))],
  ['number', (row) => numberCell(numberOf(row.value))],
  ['comment', (row) => textOrNullCell(row.comment)],
  ['created_at', (row) => timeCell(row.createdAtMs)],
  ['source', (row) => textCell(row.source)],
  ['evaluator_slug', (row) => textOrNullCell(row.evaluatorSlug)],
  ['evaluator_version', (row) => textOrNullCell(row.evaluatorVersion)],
  ['model', (row) => textOrNullCell(row.model)],
  ['judge_trace_id', (row) => textOrNullCell(row.judgeTraceId)],
  ['cost', (row) => numberCell(row.cost)],
  ['input_tokens', (row) => numberCell(row.inputTokens)],
  ['output_tokens', (row) => numberCell(row.outputTokens)],
  ['api_key_id', (row) => textOrNullCell(row.apiKeyId)],
  ['author', (row) => textOrNullCell(row.author)],
  ['user_id', (row) => textOrNullCell(row.userId)],
  ['revision', (row) => numberCell(row.revision)],
]

/** Larger than any time in milliseconds. */
const endedVersionOffset = 2 ** 50

const spanCells: Cells<SpanRow> = [
  ['workspace_id', (row) => textCell(row.workspaceId)],
  ['otel_trace_id', (row) => row.otelTraceId],
  ['span_id', (row) => row.spanId],
  ['addition', (row) => textCell(row.addition)],
  ['received_at', (row) => timeCell(row.receivedAtMs)],
  ['version', (row) => numberCell(row.receivedAtMs + (row.isEnded ? endedVersionOffset : 0))],
  ['api_key_id', (row) => textCell(row.apiKeyId)],
  ['resolved', (row) => textCell(row.resolved)],
  ['span', (row) => textCell(row.span)],
]

/** One line for the table `traces`, of a trace assembled from spans. */
export const encodeAssembledTraceRow = encoderOf(traceCells)

/** One line for the table `logs`, of a trace assembled from spans. */
export const encodeAssembledLogRow = encoderOf(logCells)

const encodeScore = encoderOf(scoreCells)
const encodeSpan = encoderOf(spanCells)

/** Of a trace that came whole; scores and spans have no use of it. */
const whole: AssembledRow = { revision: 0, otelTraceId: '' }

/** One line for the table `traces`. */
export const encodeTraceRow = (row: TraceRow): string => encodeAssembledTraceRow(row, whole)

/** One line for the table `logs`. */
export const encodeLogRow = (row: LogRow): string => encodeAssembledLogRow(row, whole)

/** One line for the table `scores`. */
export const encodeScoreRow = (row: ScoreRow): string => encodeScore(row, whole)

/** One line for the table `spans`. */
export const encodeSpanRow = (row: SpanRow): string => encodeSpan(row, whole)

const columnsOf = <Row>(cells: Cells<Row>): readonly string[] => cells.map(([column]) => column)

/** The columns of a line, in order. */
export const columnsOfTable: Readonly<Record<Table, readonly string[]>> = {
  traces: columnsOf(traceCells),
  logs: columnsOf(logCells),
  scores: columnsOf(scoreCells),
  spans: columnsOf(spanCells),
}

/** The texts of an encoded line, by column; undefined if it is not a line of the table. */
export const readEncodedLine = (table: Table, line: string): Record<string, string | null> | undefined =>
  readCells(columnsOfTable[table], line)

function encoderOf<Row>(cells: Cells<Row>): Cell<Row> {
  const [first, ...others] = cells.map(([, cell]) => cell)
  return (row, assembledRow) => {
    let line = first?.(row, assembledRow) ?? ''
    for (const encode of others) line += `\t${encode(row, assembledRow)}`
    return `${line}\n`
  }
}

/** The columns of fields that are stored as they were sent. */
function recordedCells<Values>(fields: readonly RecordedField<Values>[]): Cells<Values> {
  return fields.map(({ name, column, type }) => {
    // Safe: the row has a value of this type under this name.
    if (type === 'list') return [column, (row) => listCell(row[name] as readonly string[])]
    if (type === 'number') return [column, (row) => numberCell(row[name] as number | null)]
    return [column, (row) => textOrNullCell(row[name] as string | null)]
  })
}

/** The creation time of a UUIDv7, which is when its record arrived. */
export function arrivalMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** Top-level keys with the texts that filters compare: strings as they are, other values as JSON. */
function metadataTexts(metadata: string | null): string {
  if (metadata === null || metadata === '{}') return '{}'
  const entries = Object.entries(JSON.parse(metadata) as Record<string, unknown>)
  return mapCell(
    entries.map(([key, entry]) => [key, typeof entry === 'string' ? entry : JSON.stringify(entry)]),
  )
}

/** A boolean counts as 1 or 0, so that its average is a proportion. */
function numberOf(value: ScoreRow['value']): number | null {
  return typeof value === 'string' ? null : Number(value)
}

let lastTime = { ms: Number.NaN, cell: '' }

/** The format of DateTime64(3) that ClickHouse parses fastest. The rows of a batch share few times. */
function timeCell(timeMs: number): string {
  if (lastTime.ms === timeMs) return lastTime.cell
  const iso = new Date(timeMs).toISOString()
  lastTime = { ms: timeMs, cell: `${iso.slice(0, 10)} ${iso.slice(11, 23)}` }
  return lastTime.cell
}
