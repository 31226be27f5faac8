/** Conditions on one field each: several values, none of several values, bounds, presence. */
import type { Conditions } from './filters.ts'

export type TraceCondition = {
  /** `feature`, `model` ..., `metadata.KEY`, `score`, `score.NAME`. */
  field: string
  /** One of these values. */
  is?: readonly string[]
  /** None of these values; what has no value passes. */
  not?: readonly string[]
  /** Inclusive. */
  min?: number
  /** Inclusive. */
  max?: number
  exists?: boolean
}

/** Columns of one text. */
const texts: Readonly<Record<string, string>> = {
  trace: 'toString(trace_id)',
  feature: 'feature_slug',
  experiment: 'experiment_id',
  user: 'user_id',
  organization: 'organization_id',
  session: 'session_id',
  name: 'name',
}

/** Columns of several texts. */
const lists: Readonly<Record<string, string>> = {
  model: 'models',
  type: 'log_types',
  prompt: 'prompts.1',
  promptVersion: 'prompts.2',
  evaluator: 'judges',
}

/** Columns of a number. */
const numbers: Readonly<Record<string, string>> = {
  cost: 'cost',
  durationMs: 'duration_us / 1000',
  tokens: 'input_tokens + output_tokens',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  errors: 'errors',
  logs: 'log_count',
}

const metadataPrefix = 'metadata.'
const scorePrefix = 'score.'

/** Fields that conditions can be about, but for those named by their callers. */
export const conditionFields: readonly string[] = [
  ...Object.keys(texts),
  ...Object.keys(lists),
  ...Object.keys(numbers),
  'provider',
  'score',
]

/** Whether a condition can be about this field. */
export const isConditionField = (field: string): boolean =>
  conditionFields.includes(field) ||
  [metadataPrefix, scorePrefix].some((prefix) => field.startsWith(prefix) && field.length > prefix.length)

/** SQL on the table `traces`; `{workspace:String}` is bound by whoever asks. */
export function whereConditions(conditions: readonly TraceCondition[]): Conditions {
  const parameters: Record<string, string | number | readonly string[]> = {}
  const sql = conditions.flatMap((condition, index) => {
    const bind = (name: string, value: string | number | readonly string[]): void => {
      parameters[`where${index}${name}`] = value
    }
    const named = (name: string, type: string): string => `{where${index}${name}:${type}}`
    const { field, is, not, min, max } = condition
    if (is !== undefined) bind('is', is)
    if (not !== undefined) bind('not', not)
    if (min !== undefined) bind('min', min)
    if (max !== undefined) bind('max', max)
    if (field === 'score' || field.startsWith(scorePrefix)) return scoreSql(condition, bind, named)
    if (field.startsWith(metadataPrefix)) {
      bind('key', field.slice(metadataPrefix.length))
      const key = named('key', 'String')
      return textSql(condition, `metadata_texts[${key}]`, `mapContains(metadata_texts, ${key})`, named)
    }
    if (field === 'provider') return providerSql(condition, named)
    const text = texts[field]
    if (text !== undefined) return textSql(condition, text, `${text} IS NOT NULL`, named)
    const list = lists[field]
    if (list !== undefined) return listSql(condition, list, named)
    const number = numbers[field]
    if (number === undefined) throw new Error(`There is no field ${field}.`)
    return numberSql(condition, number, named)
  })
  return { sql, parameters }
}

type Named = (name: string, type: string) => string

const given = (value: unknown, sql: () => string): string[] => (value === undefined ? [] : [sql()])

function textSql({ is, not, exists }: TraceCondition, column: string, there: string, named: Named): string[] {
  return [
    ...given(is, () => `(${there} AND ${column} IN ${named('is', 'Array(String)')})`),
    ...given(not, () => `NOT (${there} AND ifNull(${column}, '') IN ${named('not', 'Array(String)')})`),
    ...given(exists, () => (exists ? there : `NOT (${there})`)),
  ]
}

function listSql({ is, not, exists }: TraceCondition, column: string, named: Named): string[] {
  const any = (name: string): string => `arrayExists(of -> of IN ${named(name, 'Array(String)')}, ${column})`
  return [
    ...given(is, () => any('is')),
    ...given(not, () => `NOT ${any('not')}`),
    ...given(exists, () => `${exists ? 'notEmpty' : 'empty'}(${column})`),
  ]
}

function numberSql({ min, max, exists }: TraceCondition, column: string, named: Named): string[] {
  return [
    ...given(min, () => `${column} >= ${named('min', 'Float64')}`),
    ...given(max, () => `${column} <= ${named('max', 'Float64')}`),
    ...given(exists, () => `(${column}) IS ${exists ? 'NOT NULL' : 'NULL'}`),
  ]
}

/** Only logs know their provider. */
function providerSql({ is, not, exists }: TraceCondition, named: Named): string[] {
  const traces = (condition: string): string =>
    `(SELECT trace_id FROM logs WHERE workspace_id = {workspace:String} AND ${condition})`
  return [
    ...given(is, () => `trace_id IN ${traces(`provider IN ${named('is', 'Array(String)')}`)}`),
    ...given(not, () => `trace_id NOT IN ${traces(`provider IN ${named('not', 'Array(String)')}`)}`),
    ...given(exists, () => `trace_id ${exists ? 'IN' : 'NOT IN'} ${traces('provider IS NOT NULL')}`),
  ]
}

/** Scores are apart from traces; those of a workspace are read by its part of their primary key. */
function scoreSql(
  { field, is, not, min, max, exists }: TraceCondition,
  bind: (name: string, value: string | readonly string[]) => void,
  named: Named,
): string[] {
  const ofName = field === 'score' ? '1' : `name = ${named('score', 'String')}`
  if (field !== 'score') bind('score', field.slice(scorePrefix.length))
  // Values are kept as JSON: a category is found by its text, a boolean or a number as it is written.
  const asJson = (values: readonly string[]): string[] =>
    values.flatMap((value) => [value, JSON.stringify(value)])
  if (is !== undefined) bind('is', asJson(is))
  if (not !== undefined) bind('not', asJson(not))
  const traces = (condition: string): string =>
    `(SELECT trace_id FROM scores WHERE workspace_id = {workspace:String} AND ${ofName} AND ${condition})`
  const bounds = [
    ...given(min, () => `number >= ${named('min', 'Float64')}`),
    ...given(max, () => `number <= ${named('max', 'Float64')}`),
  ]
  return [
    ...given(is, () => `trace_id IN ${traces(`value IN ${named('is', 'Array(String)')}`)}`),
    ...given(not, () => `trace_id NOT IN ${traces(`value IN ${named('not', 'Array(String)')}`)}`),
    ...(bounds.length > 0 ? [`trace_id IN ${traces(bounds.join(' AND '))}`] : []),
    ...given(exists, () => `trace_id ${exists ? 'IN' : 'NOT IN'} ${traces('1')}`),
  ]
}
