/** Conditions on single fields in SQL: one of several values, none of them, bounds, presence. */
import {
  metadataPrefix,
  scorePrefix,
  type TraceField,
  type TraceFieldName,
  traceFields,
} from '@plumbline/contract'
import type { Parameters } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'
import type { StoreCondition } from '../types.ts'

/** Conditions to join with AND, and the values they name. */
export type Conditions = { sql: string[]; parameters: Parameters }

type Value = string | number | readonly string[]

/** A condition, with the function that binds its values. */
interface SqlCondition extends StoreCondition {
  /** Binds a value under a unique name and returns its placeholder. */
  readonly bind: (name: string, type: string, value: Value) => string
}

/** SQL on a table that has the columns of the fields; the caller binds `{workspace:String}`. */
export function whereConditions(conditions: readonly StoreCondition[], table: 'traces' | 'logs'): Conditions {
  const parameters: Record<string, Value> = {}
  const boundConditions = conditions.map(
    (condition, index): SqlCondition => ({
      ...condition,
      bind: (name, type, value) => {
        const parameter = `${table}${index}${name}`
        parameters[parameter] = value
        return `{${parameter}:${type}}`
      },
    }),
  )
  const pairs = table === 'traces' ? boundConditions.filter(isOfTuple) : []
  const sql = [
    ...boundConditions
      .filter((condition) => !pairs.includes(condition))
      .flatMap((each) => conditionSql(each, table)),
    ...tupleSql(pairs),
  ]
  return { sql, parameters }
}

function conditionSql(condition: SqlCondition, table: 'traces' | 'logs'): string[] {
  const { field, bind } = condition
  if (field === 'score' || field.startsWith(scorePrefix)) return scoreSql(condition)
  if (field.startsWith(metadataPrefix)) {
    const key = bind('key', 'String', field.slice(metadataPrefix.length))
    return textSql(condition, `metadata_texts[${key}]`, `mapContains(metadata_texts, ${key})`)
  }
  const { type, column, logColumn, nameColumn } = fieldOf(field)
  if (condition.named !== undefined && nameColumn !== undefined) {
    const { named: names, ...others } = condition
    return [namedSql({ ...others, names }, column!, nameColumn), ...conditionSql(others, table)]
  }
  // Safe: every field that conditions support has a column in one of the tables.
  if (table === 'logs') return valueSql(condition, type === 'list' ? 'text' : type, logColumn!)
  return column === undefined ? ofLogsSql(condition, type, logColumn!) : valueSql(condition, type, column)
}

/** The field of this name; undefined for metadata keys and for scores. */
export const findField = (name: string): TraceField | undefined =>
  Object.hasOwn(traceFields, name) ? traceFields[name as TraceFieldName] : undefined

function fieldOf(name: string): TraceField {
  const field = findField(name)
  if (field === undefined) throw new Error(`There is no field ${name}.`)
  return field
}

/** Matches the id or part of the name, which only traces have. */
function namedSql(
  { names, bind }: SqlCondition & { readonly names: readonly string[] },
  column: string,
  nameColumn: string,
): string {
  const parameter = bind('named', 'Array(String)', names)
  const matches = `(ifNull(${column}, '') IN ${parameter} OR multiSearchAnyCaseInsensitiveUTF8(ifNull(${nameColumn}, ''), ${parameter}))`
  return `(${column} IS NOT NULL AND ${matches})`
}

function valueSql(condition: SqlCondition, type: TraceField['type'], column: string): string[] {
  switch (type) {
    case 'list':
      return listSql(condition, column)
    case 'number':
    case 'instant':
      return numberSql(condition, column)
    case 'flag':
      return flagSql(condition, column)
    case 'text':
    case 'json':
      return textSql(condition, column, `${column} IS NOT NULL`)
  }
}

const ifDefined = <Given>(value: Given | undefined, sql: (value: Given) => string): string[] =>
  value === undefined ? [] : [sql(value)]

/** A single value is compared with `=`, which an index can serve. */
function isIn({ bind }: SqlCondition, column: string, name: 'is' | 'not', values: readonly string[]): string {
  const [value] = values
  return values.length === 1 && value !== undefined
    ? `${column} = ${bind(name, 'String', value)}`
    : `${column} IN ${bind(name, 'Array(String)', values)}`
}

function textSql(condition: SqlCondition, column: string, isThere: string): string[] {
  return [
    // A missing metadata key reads as the empty text.
    ...ifDefined(condition.is, (is) => {
      const matches = isIn(condition, column, 'is', is)
      return is.includes('') ? `(${isThere} AND ${matches})` : matches
    }),
    ...ifDefined(
      condition.not,
      (not) => `NOT (${isThere} AND ${isIn(condition, `ifNull(${column}, '')`, 'not', not)})`,
    ),
    ...ifDefined(condition.exists, (exists) => (exists ? isThere : `NOT (${isThere})`)),
  ]
}

function listSql({ is, not, exists, bind }: SqlCondition, column: string): string[] {
  // The engine's `has` does not find an empty text in a LowCardinality list.
  const hasAny = (name: string, values: readonly string[]): string =>
    values.length === 1 && values[0] !== undefined && values[0] !== ''
      ? `has(${column}, ${bind(name, 'String', values[0])})`
      : `arrayExists(item -> item IN ${bind(name, 'Array(String)', values)}, ${column})`
  return [
    ...ifDefined(is, (values) => hasAny('is', values)),
    ...ifDefined(not, (values) => `NOT ${hasAny('not', values)}`),
    ...ifDefined(exists, (isThere) => `${isThere ? 'notEmpty' : 'empty'}(${column})`),
  ]
}

function numberSql({ min, max, exists, bind }: SqlCondition, column: string): string[] {
  return [
    ...ifDefined(min, (value) => `${column} >= ${bind('min', 'Float64', value)}`),
    ...ifDefined(max, (value) => `${column} <= ${bind('max', 'Float64', value)}`),
    ...ifDefined(exists, (isThere) => `(${column}) IS ${isThere ? 'NOT NULL' : 'NULL'}`),
  ]
}

/** For a flag, `is` and `not` name `true` or `false`. Comparing them as texts took most of the time of a count. */
function flagSql({ is, not }: SqlCondition, column: string): string[] {
  const isAmong = (values: readonly string[]): string =>
    `if(${column}, ${values.includes('true')}, ${values.includes('false')})`
  return [...ifDefined(is, isAmong), ...ifDefined(not, (values) => `NOT ${isAmong(values)}`)]
}

const isOfTuple = ({ field, is, isOfLog }: SqlCondition): boolean =>
  isOfLog === true && is !== undefined && fieldOf(field).tuple !== undefined

/** Conditions on elements of the same tuples: a single tuple must meet all of them. */
function tupleSql(conditions: readonly SqlCondition[]): string[] {
  const byColumn = Map.groupBy(conditions, ({ field }) => fieldOf(field).tuple!.column)
  return [...byColumn].map(([column, same]) => {
    const elements = same.map((condition) =>
      isIn(condition, `item.${fieldOf(condition.field).tuple!.element}`, 'is', condition.is!),
    )
    return `arrayExists(item -> ${elements.join(' AND ')}, ${column})`
  })
}

/** A condition on a field that only logs have: matches the traces with such a log. */
function ofLogsSql(condition: SqlCondition, type: TraceField['type'], column: string): string[] {
  const traces = (sql: string): string =>
    `(SELECT trace_id FROM logs WHERE workspace_id = {workspace:String} AND ${sql} AND ${currentRows('logs')})`
  const { not, exists, ...positive } = condition
  const matches = valueSql(positive, type === 'list' ? 'text' : type, column)
  return [
    ...(matches.length > 0 ? [`trace_id IN ${traces(matches.join(' AND '))}`] : []),
    ...ifDefined(not, (values) => `trace_id NOT IN ${traces(isIn(condition, column, 'not', values))}`),
    ...ifDefined(
      exists,
      (isThere) => `trace_id ${isThere ? 'IN' : 'NOT IN'} ${traces(`${column} IS NOT NULL`)}`,
    ),
  ]
}

/** Scores are in a separate table; a workspace's scores are read by the prefix of its primary key. */
function scoreSql({ field, is, not, min, max, exists, bind }: SqlCondition): string[] {
  const ofName =
    field === 'score' ? '1' : `name = ${bind('score', 'String', field.slice(scorePrefix.length))}`
  // Values are stored as JSON: match a category by its text, a boolean or number as written.
  const asJson = (values: readonly string[]): string[] =>
    values.flatMap((value) => [value, JSON.stringify(value)])
  const traces = (condition: string): string =>
    `(SELECT trace_id FROM scores WHERE workspace_id = {workspace:String} AND ${ofName} AND ${condition})`
  const valueIn = (name: string, values: readonly string[]): string =>
    `value IN ${bind(name, 'Array(String)', asJson(values))}`
  const bounds = [
    ...ifDefined(min, (value) => `number >= ${bind('min', 'Float64', value)}`),
    ...ifDefined(max, (value) => `number <= ${bind('max', 'Float64', value)}`),
  ]
  return [
    ...ifDefined(is, (values) => `trace_id IN ${traces(valueIn('is', values))}`),
    ...ifDefined(not, (values) => `trace_id NOT IN ${traces(valueIn('not', values))}`),
    ...(bounds.length > 0 ? [`trace_id IN ${traces(bounds.join(' AND '))}`] : []),
    ...ifDefined(exists, (isThere) => `trace_id ${isThere ? 'IN' : 'NOT IN'} ${traces('1')}`),
  ]
}
