/** Which columns make a row, and how each is read: the mirror of `encode-rows.ts`. */
import { type RecordedField, recordedLogFields, recordedTraceFields } from '@plumbline/contract'
import type { LogRow, ScoreRow, ServedPrompt, TraceRow, TraceSummary } from './row-types.ts'

/** The expression to select, and how to decode its value. */
type Column<T> = { sql: string; read: (cell: unknown) => T }
export type Columns<Row> = { [Field in keyof Row]-?: Column<Row[Field]> }

/** Safe: the engine returns the type that the table declares. The only place with this cast. */
const as = <T>(sql: string): Column<T> => ({ sql, read: (cell) => cell as T })
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

/** Fields that are stored as they were sent. */
function recorded<Values>(fields: readonly RecordedField<Values>[]): Columns<Values> {
  // Safe: a column for each of the fields, which the table declares with their types.
  return Object.fromEntries(fields.map(({ name, column }) => [name, as(column)])) as Columns<Values>
}

const summary: Columns<Omit<TraceSummary, 'inputPreview' | 'outputPreview'>> = {
  workspaceId: as('workspace_id'),
  traceId: as('trace_id'),
  startUs: micros('start_us'),
  endUs: microsOrNull('end_us'),
  durationUs: microsOrNull('duration_us'),
  name: as('name'),
  featureSlug: as('feature_slug'),
  experimentId: as('experiment_id'),
  userId: as('user_id'),
  userName: as('user_name'),
  organizationId: as('organization_id'),
  organizationName: as('organization_name'),
  ...recorded(recordedTraceFields),
  metadata: value('metadata'),
  sampled: flag('sampled'),
  sampleRate: as('sample_rate'),
  sampledBy: value('sampled_by'),
  warning: value('warning'),
  apiKeyId: as('api_key_id'),
  inputTokens: as('input_tokens'),
  outputTokens: as('output_tokens'),
  cost: as('cost'),
  tokensEstimated: flag('tokens_estimated'),
  errors: as('errors'),
  logCount: as('log_count'),
  models: as('models'),
  logTypes: as('log_types'),
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
  judges: as('judges'),
  evaluationConfig: value('evaluation_config'),
  sent: value('sent'),
}

export const logColumns: Columns<LogRow> = {
  workspaceId: as('workspace_id'),
  traceId: as('trace_id'),
  traceStartUs: micros('trace_start_us'),
  position: as('position'),
  logId: as('log_id'),
  parentId: as('parent_id'),
  type: as('type'),
  name: as('name'),
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
  promptSlug: as('prompt_slug'),
  promptVersion: as('prompt_version'),
  model: as('model'),
  provider: as('provider'),
  inputTokens: as('input_tokens'),
  outputTokens: as('output_tokens'),
  tokensEstimated: flag('tokens_estimated'),
  freshInputTokens: as('fresh_input_tokens'),
  cacheReadTokens: as('cache_read_tokens'),
  cacheWriteTokens: as('cache_write_tokens'),
  textOutputTokens: as('text_output_tokens'),
  reasoningTokens: as('reasoning_tokens'),
  otherTokens: as('other_tokens'),
  serviceTier: value('service_tier'),
  cost: as('cost'),
  costEstimate: as('cost_estimate'),
  costDetail: value('cost_detail'),
  countsInTotals: flag('counts_in_totals'),
  costInTotals: as('cost_in_totals'),
  hasError: flag('has_error'),
  featureSlug: as('feature_slug'),
  experimentId: as('experiment_id'),
  userId: as('user_id'),
  organizationId: as('organization_id'),
  ...recorded(recordedLogFields),
  sent: value('sent'),
}

export const scoreColumns: Columns<ScoreRow> = {
  workspaceId: as('workspace_id'),
  scoreId: as('score_id'),
  traceId: as('trace_id'),
  logId: as('log_id'),
  name: as('name'),
  value: { sql: 'value', read: (cell) => JSON.parse(String(cell)) as ScoreRow['value'] },
  comment: as('comment'),
  createdAtMs: { sql: 'toString(toUnixTimestamp64Milli(created_at))', read: Number },
  source: as('source'),
  evaluatorSlug: as('evaluator_slug'),
  evaluatorVersion: as('evaluator_version'),
  model: as('model'),
  cost: as('cost'),
  inputTokens: as('input_tokens'),
  outputTokens: as('output_tokens'),
  apiKeyId: as('api_key_id'),
  author: as('author'),
  userId: as('user_id'),
  revision: { sql: 'toString(revision)', read: Number },
}

/** The list behind SELECT; `c0`, `c1` ... because an alias with the name of a column would replace it in WHERE. */
export function selected<Row>(columns: Columns<Row>): string {
  return Object.values<Column<unknown>>(columns)
    .map(({ sql }, index) => `${sql} AS c${index}`)
    .join(', ')
}

/** Decodes one result row of `selected(columns)`. */
export function readRow<Row>(columns: Columns<Row>, row: Record<string, unknown>): Row {
  const fields = Object.entries<Column<unknown>>(columns)
  return Object.fromEntries(fields.map(([field, { read }], index) => [field, read(row[`c${index}`])])) as Row
}
