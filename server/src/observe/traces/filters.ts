/** Reads the filters of lists and metrics from a query. */
import {
  type InputOf,
  invalid,
  metadataFilterPrefix,
  type operations,
  type Timestamp,
} from '@plumbline/contract'
import {
  conditionFields,
  isConditionField,
  type TraceCondition,
  type TraceFilters,
} from '@plumbline/storage/traces'
import { readTimestamp } from '../../ingest/monitor/timestamp.ts'
import { compileObjectCheck } from '../../requests/validate.ts'

type FilterQuery = Omit<InputOf<typeof operations.traces.list>, 'limit' | 'cursor' | 'sort' | 'order'>

/** Converts a query to filters of the store; throws `invalid_request` for an invalid timestamp. */
export function readFilters(query: FilterQuery): TraceFilters {
  const { from, to, ...others } = query
  const metadata = Object.entries(query)
    .filter(([name]) => name.startsWith(metadataFilterPrefix))
    .map(([name, value]) => [name.slice(metadataFilterPrefix.length), String(value)])
  const { featureSlug, experimentId, promptSlug, promptVersion, userId, organizationId } = others
  const { type, name, model, hasError, sampled, minCost, minDurationMs, q } = others
  const { provider, sessionId, maxCost, maxDurationMs, minTokens, maxTokens } = others
  const receivedFromUs = readInstant(others.receivedFrom, 'receivedFrom')
  return {
    featureSlug,
    experimentId,
    promptSlug,
    promptVersion,
    userId,
    organizationId,
    type,
    name,
    model,
    hasError,
    sampled,
    minCost,
    minDurationMs,
    q,
    provider,
    sessionId,
    maxCost,
    maxDurationMs,
    minTokens,
    maxTokens,
    receivedFromMs: receivedFromUs === undefined ? undefined : receivedFromUs / 1000n,
    where: readWhere(others.where),
    fromUs: readInstant(from, 'from'),
    toUs: readInstant(to, 'to'),
    ...(metadata.length > 0 ? { metadata: Object.fromEntries(metadata) } : {}),
  }
}

const texts = { type: 'array', items: { type: 'string' }, maxItems: 200 }
const checkWhere = compileObjectCheck<TraceCondition[]>(
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
      },
    },
  },
  'where',
)

/** Parses the conditions in `where`. */
function readWhere(text: string | undefined): TraceCondition[] | undefined {
  if (text === undefined) return undefined
  const conditions = checkWhere(parse(text))
  conditions.forEach(({ field }, index) => {
    if (!isConditionField(field))
      throw invalid(
        `where[${index}].field`,
        `must be one of ${conditionFields.join(', ')}, score.NAME, metadata.KEY`,
      )
  })
  return conditions
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw Object.assign(invalid('where', 'must be a JSON array of conditions'), { cause: error })
  }
}

/** Reads a timestamp of a query: ISO 8601, or a Unix time as text. */
export function readInstant(value: Timestamp | undefined, path: string): bigint | undefined {
  if (value === undefined) return undefined
  const isNumber = typeof value === 'number' || /^\d+(?:\.\d+)?$/.test(value)
  const micros = readTimestamp(isNumber ? Number(value) : value)
  if (micros === undefined) throw invalid(path, 'must be an ISO 8601 date-time that exists, or a Unix time')
  return micros
}
