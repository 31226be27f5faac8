/** Reads the filters of lists and metrics from a query. */
import {
  conditionFields,
  fieldEntries,
  filterParameters,
  type InputOf,
  invalid,
  metadataPrefix,
  type operations,
  operatorsOf,
  type Timestamp,
  type TraceCondition,
} from '@plumbline/contract'
import { countWords, type StoreCondition, type TraceFilters } from '@plumbline/storage/traces'
import { readTimestamp } from '../json/timestamp.ts'
import { makeObjectCheck } from '../requests/validate.ts'

type FilterQuery = Omit<InputOf<typeof operations.traces.list>, 'limit' | 'cursor' | 'sort' | 'order'>

/** Converts a query to trace store filters; throws `invalid_request` for an invalid timestamp. */
export function readFilters(query: FilterQuery): TraceFilters {
  const receivedFromUs = readInstant(query.receivedFrom, 'receivedFrom')
  const conditions = [...conditionsOf(query), ...readWhere(query.where)]
  const surplus = conditions[conditionsMax]
  if (surplus !== undefined)
    throw invalid(surplus.field, `is one condition too many: a filter has at most ${conditionsMax}`)
  return {
    where: markLogs(conditions),
    q: checkWords(query.q),
    receivedFromMs: receivedFromUs === undefined ? undefined : receivedFromUs / 1000n,
    fromUs: readInstant(query.from, 'from'),
    toUs: readInstant(query.to, 'to'),
  }
}

/** The engine parses a statement with this many conditions in a fraction of a second, and one with thousands in minutes. */
const conditionsMax = 100
const wordsMax = 200
const searchLengthMax = 10_000

function checkWords(q: string | undefined): string | undefined {
  if (q === undefined) return undefined
  if (q.length > searchLengthMax) throw invalid('q', `must have at most ${searchLengthMax} characters`)
  const count = countWords(q)
  if (count > wordsMax) throw invalid('q', `must have at most ${wordsMax} words; this has ${count}`)
  return q
}

/** Converts the query parameters of fields to conditions, which are the only form of a filter from here on. */
function conditionsOf(query: Readonly<Record<string, unknown>>): TraceCondition[] {
  return Object.entries(query).flatMap(([name, value]): TraceCondition[] => {
    if (value === undefined) return []
    if (name.startsWith(metadataPrefix)) return [{ field: name, is: [String(value)] }]
    const parameter = filterParameters.get(name)
    if (parameter === undefined) return []
    const { field, operator } = parameter
    return [operator === 'is' ? { field, is: [String(value)] } : { field, [operator]: Number(value) }]
  })
}

const logFields: ReadonlySet<string> = new Set(
  fieldEntries.flatMap(([name, { narrowsToLogs }]) => (narrowsToLogs ? [name] : [])),
)

/**
 * Marks the conditions that apply to one log. A negated condition, or one on whether a field is present, applies to the
 * whole trace. So does a second condition on the same field: a trace can have two models, but a log cannot.
 */
function markLogs(conditions: readonly TraceCondition[]): StoreCondition[] {
  const marked = new Set<string>()
  return conditions.flatMap((condition): StoreCondition[] => {
    const { field, is, ...others } = condition
    if (is === undefined || !logFields.has(field) || marked.has(field)) return [condition]
    marked.add(field)
    const ofLog = { field, is, isOfLog: true }
    return Object.keys(others).length === 0 ? [ofLog] : [ofLog, { field, ...others }]
  })
}

const texts = { type: 'array', items: { type: 'string' }, maxItems: 200 }
const checkWhere = makeObjectCheck<TraceCondition[]>(
  {
    type: 'array',
    maxItems: 50,
    items: {
      type: 'object',
      required: ['field'],
      properties: {
        field: { type: 'string' },
        is: texts,
        not: texts,
        min: { type: 'number' },
        max: { type: 'number' },
        exists: { type: 'boolean' },
        named: texts,
      },
    },
  },
  'where',
)

/** Parses the conditions in `where`. */
function readWhere(text: string | undefined): TraceCondition[] {
  if (text === undefined) return []
  const conditions = checkWhere(parse(text))
  conditions.forEach(({ field, ...operators }, index) => {
    const supported = operatorsOf(field)
    if (supported === undefined)
      throw invalid(
        `where[${index}].field`,
        `must be one of ${conditionFields.join(', ')}, score, score.NAME, metadata.KEY`,
      )
    // Without this operator the filter would return traces that it should exclude.
    const unsupported = Object.keys(operators).find(
      (name) => !supported.some((candidate) => candidate === name),
    )
    if (unsupported !== undefined)
      throw invalid(
        `where[${index}].${unsupported}`,
        `is none of the operators of ${field}: ${supported.join(', ')}`,
      )
    if (Object.keys(operators).length === 0)
      throw invalid(`where[${index}]`, `must have one of the operators of ${field}: ${supported.join(', ')}`)
    if (flagFields.has(field)) checkFlags(operators, `where[${index}]`)
  })
  return conditions
}

const flagFields: ReadonlySet<string> = new Set(
  fieldEntries.flatMap(([name, { type }]) => (type === 'flag' ? [name] : [])),
)

/** Any other value is a mistake, and with `not` it would match everything. */
function checkFlags({ is = [], not = [] }: Omit<TraceCondition, 'field'>, path: string): void {
  for (const [name, values] of Object.entries({ is, not })) {
    const index = values.findIndex((value) => value !== 'true' && value !== 'false')
    if (index !== -1) throw invalid(`${path}.${name}[${index}]`, 'must be "true" or "false"')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw Object.assign(invalid('where', 'must be a JSON array of conditions'), { cause: error })
  }
}

/** Reads a timestamp in a query: ISO 8601, or Unix time as text. */
export function readInstant(value: Timestamp | undefined, path: string): bigint | undefined {
  if (value === undefined) return undefined
  const isNumber = typeof value === 'number' || /^\d+(?:\.\d+)?$/.test(value)
  const micros = readTimestamp(isNumber ? Number(value) : value)
  if (micros === undefined) throw invalid(path, 'must be an ISO 8601 date-time that exists, or a Unix time')
  return micros
}
