/** Conditions on single fields: any of several values, none of them, bounds, presence. */
import type { Conditions } from './filters.ts'

export type TraceCondition = {
  /** `feature`, `model` ..., `metadata.KEY`, `score`, `score.NAME`. */
  field: string
  /** One of these values. */
  is?: readonly string[]
  /** None of these values; an absent value passes. */
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

/** Fields of conditions, besides `metadata.KEY` and `score.NAME`. */
export const conditionFields: readonly string[] = [
  ...Object.keys(texts),
  ...Object.keys(lists),
  ...Object.keys(numbers),
  'provider',
  'score',
]

/** Whether conditions support this field. */
export const isConditionField = (field: string): boolean =>
  conditionFields.includes(field) ||
  [metadataPrefix, scorePrefix].some((prefix) => field.startsWith(prefix) && field.length > prefix.length)

/** SQL on the table `traces`; the caller binds `{workspace:String}`. */
export function whereConditions(conditions: readonly TraceCondition[]): Conditions {
  const parameters: Record<string, string | number | readonly string[]> = {}
  const sql = conditions.flatMap((condition, index) => {
    const bind = (name: string, value: string | number | readonly string[]): void => {
      parameters[`where${index}${name}`] = value
    }
    const bindName = (name: string, type: string): string => `{where${index}${name}:${type}}`
    const { field, is, not, min, max } = condition
    if (is !== undefined) bind('is', is)
    if (not !== undefined) bind('not', not)
    if (min !== undefined) bind('min', min)
    if (max !== undefined) bind('max', max)
    if (field === 'score' || field.startsWith(scorePrefix)) return scoreSql(condition, bind, bindName)
    if (field.startsWith(metadataPrefix)) {
      bind('key', field.slice(metadataPrefix.length))
      const key = bindName('key', 'String')
      return textSql(condition, `metadata_texts[${key}]`, `mapContains(metadata_texts, ${key})`, bindName)
    }
    if (field === 'provider') return providerSql(condition, bindName)
    const text = texts[field]
    if (text !== undefined) return textSql(condition, text, `${text} IS NOT NULL`, bindName)
    const list = lists[field]
    if (list !== undefined) return listSql(condition, list, bindName)
    const number = numbers[field]
    if (number === undefined) throw new Error(`There is no field ${field}.`)
    return numberSql(condition, number, bindName)
  })
  return { sql, parameters }
}

type BindName = (name: string, type: string) => string

const ifDefined = (value: unknown, sql: () => string): string[] => (value === undefined ? [] : [sql()])

function textSql(
  { is, not, exists }: TraceCondition,
  column: string,
  there: string,
  bindName: BindName,
): string[] {
  return [
    ...ifDefined(is, () => `(${there} AND ${column} IN ${bindName('is', 'Array(String)')})`),
    ...ifDefined(
      not,
      () => `NOT (${there} AND ifNull(${column}, '') IN ${bindName('not', 'Array(String)')})`,
    ),
    ...ifDefined(exists, () => (exists ? there : `NOT (${there})`)),
  ]
}

function listSql({ is, not, exists }: TraceCondition, column: string, bindName: BindName): string[] {
  const any = (name: string): string =>
    `arrayExists(of -> of IN ${bindName(name, 'Array(String)')}, ${column})`
  return [
    ...ifDefined(is, () => any('is')),
    ...ifDefined(not, () => `NOT ${any('not')}`),
    ...ifDefined(exists, () => `${exists ? 'notEmpty' : 'empty'}(${column})`),
  ]
}

function numberSql({ min, max, exists }: TraceCondition, column: string, bindName: BindName): string[] {
  return [
    ...ifDefined(min, () => `${column} >= ${bindName('min', 'Float64')}`),
    ...ifDefined(max, () => `${column} <= ${bindName('max', 'Float64')}`),
    ...ifDefined(exists, () => `(${column}) IS ${exists ? 'NOT NULL' : 'NULL'}`),
  ]
}

/** Only logs have a provider. */
function providerSql({ is, not, exists }: TraceCondition, bindName: BindName): string[] {
  const traces = (condition: string): string =>
    `(SELECT trace_id FROM logs WHERE workspace_id = {workspace:String} AND ${condition})`
  return [
    ...ifDefined(is, () => `trace_id IN ${traces(`provider IN ${bindName('is', 'Array(String)')}`)}`),
    ...ifDefined(not, () => `trace_id NOT IN ${traces(`provider IN ${bindName('not', 'Array(String)')}`)}`),
    ...ifDefined(exists, () => `trace_id ${exists ? 'IN' : 'NOT IN'} ${traces('provider IS NOT NULL')}`),
  ]
}

/** Scores are a separate table; those of a workspace are read by the prefix of its primary key. */
function scoreSql(
  { field, is, not, min, max, exists }: TraceCondition,
  bind: (name: string, value: string | readonly string[]) => void,
  bindName: BindName,
): string[] {
  const ofName = field === 'score' ? '1' : `name = ${bindName('score', 'String')}`
  if (field !== 'score') bind('score', field.slice(scorePrefix.length))
  // Values are stored as JSON: match a category by its text, a boolean or number as written.
  const asJson = (values: readonly string[]): string[] =>
    values.flatMap((value) => [value, JSON.stringify(value)])
  if (is !== undefined) bind('is', asJson(is))
  if (not !== undefined) bind('not', asJson(not))
  const traces = (condition: string): string =>
    `(SELECT trace_id FROM scores WHERE workspace_id = {workspace:String} AND ${ofName} AND ${condition})`
  const bounds = [
    ...ifDefined(min, () => `number >= ${bindName('min', 'Float64')}`),
    ...ifDefined(max, () => `number <= ${bindName('max', 'Float64')}`),
  ]
  return [
    ...ifDefined(is, () => `trace_id IN ${traces(`value IN ${bindName('is', 'Array(String)')}`)}`),
    ...ifDefined(not, () => `trace_id NOT IN ${traces(`value IN ${bindName('not', 'Array(String)')}`)}`),
    ...(bounds.length > 0 ? [`trace_id IN ${traces(bounds.join(' AND '))}`] : []),
    ...ifDefined(exists, () => `trace_id ${exists ? 'IN' : 'NOT IN'} ${traces('1')}`),
  ]
}
