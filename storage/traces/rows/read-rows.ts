/** Which columns make up a row, and how each is decoded: the counterpart of `row-block.ts`. */
import { type RecordedField, recordedLogFields, recordedTraceFields } from '@plumbline/contract'
import type { LogRow, ScoreRow, ServedPrompt, TraceRow, TraceSummary } from './row-types.ts'

/** The expression to select, and how to decode its value. */
type Column<T> = { sql: string; read: (cell: unknown) => T }
export type Columns<Row> = { [Field in keyof Row]-?: Column<Row[Field]> }

/** Safe: the engine returns the type that the table declares. The only place with this cast. */
const plainColumn = <T>(sql: string): Column<T> => ({ sql, read: (cell) => cell as T })
const value = (sql: string): Column<string | null> => ({
  sql,
  read: (cell) => (cell === '' ? null : String(cell)),
})
const flag = (sql: string): Column<boolean> => ({ sql, read: (cell) => cell === true || cell === 1 })
/** A JSON number cannot hold 64 bits. */
const micros = (column: string): Column<bigint> => ({
  sql: `toString(${column})`,
  read: (cell) => BigInt(String(cell)),
})
const microsOrNull = (column: string): Column<bigint | null> => ({
  sql: `toString(${column})`,
  read: (cell) => (cell === null ? null : BigInt(String(cell))),
})

/** Fields stored as they were sent. */
function recordColumns<Values>(fields: readonly RecordedField<Values>[]): Columns<Values> {
  // Safe: every field has a column, which the table declares with the field's type.
  return Object.fromEntries(fields.map(({ name, column }) => [name, plainColumn(column)])) as Columns<Values>
}

const summary: Columns<Omit<TraceSummary, 'inputPreview' | 'outputPreview'>> = {
  workspaceId: plainColumn('workspace_id'),
  traceId: plainColumn('trace_id'),
  startUs: micros('start_us'),
  endUs: microsOrNull('end_us'),
  durationUs: microsOrNull('duration_us'),
  name: plainColumn('name'),
  featureSlug: plainColumn('feature_slug'),
  experimentId: plainColumn('experiment_id'),
  userId: plainColumn('user_id'),
  userName: plainColumn('user_name'),
  organizationId: plainColumn('organization_id'),
  organizationName: plainColumn('organization_name'),
  ...recordColumns(recordedTraceFields),
  metadata: value('metadata'),
  sampled: flag('sampled'),
  sampleRate: plainColumn('sample_rate'),
  sampledBy: value('sampled_by'),
  warning: value('warning'),
  apiKeyId: plainColumn('api_key_id'),
  inputTokens: plainColumn('input_tokens'),
  outputTokens: plainColumn('output_tokens'),
  cost: plainColumn('cost'),
  tokensEstimated: flag('tokens_estimated'),
  errors: plainColumn('errors'),
  logCount: plainColumn('log_count'),
  models: plainColumn('models'),
  logTypes: plainColumn('log_types'),
  prompts: { sql: 'prompts', read: (cell) => (cell as [string, string][]).map(servedPrompt) },
}

function servedPrompt([slug, version]: [string, string]): ServedPrompt {
  return { slug, version: version === '' ? null : version }
}

/** For lists: the first characters of the large texts. */
export const summaryColumns: Columns<TraceSummary> = {
  ...summary,
  inputPreview: value('substringUTF8(input, 1, 400)'),
  outputPreview: value('substringUTF8(output, 1, 400)'),
}

export const traceColumns: Columns<TraceRow> = {
  ...summary,
  input: value('input'),
  output: value('output'),
  idealOutput: value('ideal_output'),
  evaluators: value('evaluators'),
  judges: plainColumn('judges'),
  evaluationConfig: value('evaluation_config'),
  sent: value('sent'),
}

export const logColumns: Columns<LogRow> = {
  workspaceId: plainColumn('workspace_id'),
  traceId: plainColumn('trace_id'),
  traceStartUs: micros('trace_start_us'),
  position: plainColumn('position'),
  logId: plainColumn('log_id'),
  parentId: plainColumn('parent_id'),
  type: plainColumn('type'),
  name: plainColumn('name'),
  startUs: microsOrNull('start_us'),
  endUs: microsOrNull('end_us'),
  durationUs: microsOrNull('duration_us'),
  input: value('input'),
  output: value('output'),
  idealOutput: value('ideal_output'),
  metadata: value('metadata'),
  evaluators: value('evaluators'),
  variables: value('variables'),
  prompt: value('prompt'),
  promptSlug: plainColumn('prompt_slug'),
  promptVersion: plainColumn('prompt_version'),
  model: plainColumn('model'),
  provider: plainColumn('provider'),
  inputTokens: plainColumn('input_tokens'),
  outputTokens: plainColumn('output_tokens'),
  tokensEstimated: flag('tokens_estimated'),
  freshInputTokens: plainColumn('fresh_input_tokens'),
  cacheReadTokens: plainColumn('cache_read_tokens'),
  cacheWriteTokens: plainColumn('cache_write_tokens'),
  textOutputTokens: plainColumn('text_output_tokens'),
  reasoningTokens: plainColumn('reasoning_tokens'),
  otherTokens: plainColumn('other_tokens'),
  serviceTier: value('service_tier'),
  cost: plainColumn('cost'),
  costEstimate: plainColumn('cost_estimate'),
  costDetail: value('cost_detail'),
  countsInTotals: flag('counts_in_totals'),
  costInTotals: plainColumn('cost_in_totals'),
  hasError: flag('has_error'),
  featureSlug: plainColumn('feature_slug'),
  experimentId: plainColumn('experiment_id'),
  userId: plainColumn('user_id'),
  organizationId: plainColumn('organization_id'),
  ...recordColumns(recordedLogFields),
  sent: value('sent'),
}

export const scoreColumns: Columns<ScoreRow> = {
  workspaceId: plainColumn('workspace_id'),
  scoreId: plainColumn('score_id'),
  traceId: plainColumn('trace_id'),
  logId: plainColumn('log_id'),
  sessionId: plainColumn('session_id'),
  name: plainColumn('name'),
  value: { sql: 'value', read: (cell) => JSON.parse(String(cell)) as ScoreRow['value'] },
  comment: plainColumn('comment'),
  createdAtMs: { sql: 'toString(toUnixTimestamp64Milli(created_at))', read: Number },
  source: plainColumn('source'),
  evaluatorSlug: plainColumn('evaluator_slug'),
  evaluatorVersion: plainColumn('evaluator_version'),
  model: plainColumn('model'),
  judgeTraceId: plainColumn('judge_trace_id'),
  cost: plainColumn('cost'),
  inputTokens: plainColumn('input_tokens'),
  outputTokens: plainColumn('output_tokens'),
  apiKeyId: plainColumn('api_key_id'),
  author: plainColumn('author'),
  userId: plainColumn('user_id'),
  revision: { sql: 'toString(revision)', read: Number },
}

/** The list behind SELECT; `c0`, `c1` ... because an alias that equals a column name would replace the column in WHERE. */
export function selectList<Row>(columns: Columns<Row>): string {
  return Object.values<Column<unknown>>(columns)
    .map(({ sql }, index) => `${sql} AS c${index}`)
    .join(', ')
}

/** Decodes one result row of `selected(columns)`. */
export function readRow<Row>(columns: Columns<Row>, row: Record<string, unknown>): Row {
  const fields = Object.entries<Column<unknown>>(columns)
  return Object.fromEntries(fields.map(([field, { read }], index) => [field, read(row[`c${index}`])])) as Row
}
