/** Scores, which Langfuse's clients often send before their traces. */

import { invalid, operations, type Score, ServiceError } from '@plumbline/contract'
import { parseDateTime } from '@plumbline/contract/date-time'
import { giveScore, type ScoreInput } from '../evaluate/scores/give.ts'
import type { Context } from '../requests/verb.ts'
import type { DeferredScore } from './deliveries.ts'
import { type LangfuseContext, type LangfuseInput, PartialOutput } from './endpoint.ts'
import { findNamedTrace } from './find-trace.ts'
import { otelTraceIdOf, spanIdOf } from './ids.ts'
import { metaOf, type PageRequest, pageByCursors, readPage } from './page.ts'
import {
  type JsonRecord,
  optionalText,
  queryText,
  recordIn,
  refuseFilters,
  requiredText,
  textOrUndefined,
} from './read-input.ts'
import { toScore } from './score-view.ts'

/** One score, or a list of scores, each of which is stored or rejected separately. */
export async function create({ body }: LangfuseInput, context: LangfuseContext): Promise<object> {
  if (!Array.isArray(body)) return { id: await submitScore(recordIn(body), context.now, context) }
  if (body.length > scoresMax) throw invalid('', `must have at most ${scoresMax} scores`)
  const problems: string[] = []
  for (const [index, score] of body.entries()) {
    try {
      await submitScore(recordIn(score), context.now, context)
    } catch (error) {
      if (!(error instanceof ServiceError) || (error.status >= 500 && error.code !== 'not_supported'))
        throw error
      problems.push(`[${index}] ${error.message}`)
    }
  }
  if (problems.length === 0) return new PartialOutput(202, { message: 'Accepted' })
  return new PartialOutput(207, {
    accepted: body.length - problems.length,
    rejected: problems.length,
    errors: problems.map((message) => ({ message })),
  })
}

const scoresMax = 10_000

/** Records a score, now or as soon as its trace arrives; resolves to its id. */
export async function submitScore(body: JsonRecord, time: Date, context: LangfuseContext): Promise<string> {
  const score = readScore(body, time)
  const scoreId = await deliverScore(score, context)
  if (scoreId !== undefined) return score.key ?? scoreId
  const key = score.key ?? crypto.randomUUID()
  await context.deliveries.score({ ...score, key }, context)
  return key
}

/** Undefined if the trace or the log does not exist. */
export async function deliverScore(
  { otelTraceId, spanId, createdAtMs, ...score }: DeferredScore,
  context: Pick<Context, 'workspace' | 'caller' | 'now'>,
): Promise<string | undefined> {
  const storedTrace = await findNamedTrace(otelTraceId, context.workspace)
  if (storedTrace === undefined) return undefined
  if (spanId !== undefined && !storedTrace.logs.some(({ logId }) => logId === spanId)) return undefined
  const input: ScoreInput = { ...score, traceId: storedTrace.trace.traceId, logId: spanId, createdAtMs }
  return (await giveScore(input, context)).scoreId
}

const plainTargets =
  'Plumbline scores traces and observations; this score names a session or a dataset run without a trace.'

function readScore(body: JsonRecord, time: Date): DeferredScore {
  const traceId = textOrUndefined(body.traceId)
  if (traceId === undefined) {
    if (body.sessionId != null || body.datasetRunId != null)
      throw new ServiceError('not_supported', { problem: plainTargets })
    throw invalid('traceId', 'must be a non-empty text')
  }
  const observationId = optionalText(body, 'observationId') || undefined
  const timestampMs = typeof body.timestamp === 'string' ? parseDateTime(body.timestamp) : Number.NaN
  return {
    otelTraceId: otelTraceIdOf(traceId),
    ...(observationId === undefined ? {} : { spanId: spanIdOf(observationId) }),
    name: requiredText(body, 'name'),
    value: readValue(body),
    comment: optionalText(body, 'comment') || undefined,
    createdAtMs: Number.isNaN(timestampMs) ? time.getTime() : timestampMs,
    key: textOrUndefined(body.id),
  }
}

function readValue({ value, dataType }: JsonRecord): DeferredScore['value'] {
  switch (dataType) {
    case 'BOOLEAN':
      if (value === 0 || value === 1 || typeof value === 'boolean') return Boolean(value)
      throw invalid('value', 'must be 0 or 1 for a BOOLEAN score')
    case 'NUMERIC':
      if (typeof value === 'number') return value
      throw invalid('value', 'must be a number for a NUMERIC score')
    case 'CATEGORICAL':
    case 'TEXT':
    case 'CORRECTION':
      if (typeof value === 'string') return value
      throw invalid('value', `must be a text for a ${dataType} score`)
    default:
      if (typeof value === 'number' || typeof value === 'string') return value
      throw invalid('value', 'must be a number or a text')
  }
}

const missingOfScores = [
  ...['userId', 'environment', 'source', 'operator', 'value', 'scoreIds', 'configId', 'sessionId'],
  ...['datasetRunId', 'observationId', 'queueId', 'dataType', 'traceTags', 'filter'],
]

/** Newest first. Pages are read from the first one on, since our lists have cursors and no page numbers. */
export async function list(input: LangfuseInput, context: LangfuseContext): Promise<object> {
  refuseFilters(input, missingOfScores)
  const request = readPage(input)
  const { items, itemsRead, isWhole } = await readScores(input, request, context)
  return {
    data: items.map((score) => toScore(score, context.workspace.id)),
    meta: metaOf(request, itemsRead + (isWhole ? 0 : 1)),
  }
}

async function readScores(
  input: LangfuseInput,
  request: PageRequest,
  { call, workspace }: LangfuseContext,
): ReturnType<typeof pageByCursors<Score>> {
  const traceId = queryText(input, 'traceId')
  const ownId = traceId === undefined ? undefined : await ownTraceId(traceId, workspace)
  if (traceId !== undefined && ownId === undefined) return { items: [], itemsRead: 0, isWhole: true }
  return pageByCursors(request, async (cursor) => {
    const { scores, nextCursor } = await call(operations.scores.list, {
      limit: 1000,
      cursor,
      traceId: ownId,
      name: queryText(input, 'name'),
      from: queryText(input, 'fromTimestamp'),
      to: queryText(input, 'toTimestamp'),
    })
    return { items: scores, nextCursor }
  })
}

/** Our id of a trace. */
const ownTraceId = async (id: string, workspace: Context['workspace']): Promise<string | undefined> =>
  (await findNamedTrace(otelTraceIdOf(id), workspace))?.trace.traceId

export async function remove({ params }: LangfuseInput, { call }: LangfuseContext): Promise<undefined> {
  await call(operations.scores.delete, { id: params.id ?? '' })
}
