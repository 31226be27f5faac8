/** Traces, their observations and their sessions, to the extent that Langfuse's clients read them. */
import {
  type InputOf,
  operations,
  ServiceError,
  type StoredTrace,
  type TraceSummary,
} from '@plumbline/contract'
import { uuidV7OfAnyCasePattern } from '@plumbline/contract/uuids'
import { type LangfuseContext, type LangfuseInput, unless } from './endpoint.ts'
import { otelTraceIdOf } from './ids.ts'
import { metaOf, type PageRequest, pageByCursors, pageOf, readPage } from './page.ts'
import { queryText, queryTexts, refuseFilters } from './read-input.ts'
import { toListedTrace, toObservation, toTrace } from './trace-view.ts'

export async function get({ params }: LangfuseInput, context: LangfuseContext): Promise<object> {
  const id = params.id ?? ''
  return toTrace(await readTrace(id, context), { traceId: id, workspaceId: context.workspace.id })
}

/** Newest first. Pages are read from the first one on, since our lists have cursors and no page numbers. */
export async function list(input: LangfuseInput, context: LangfuseContext): Promise<object> {
  refuseFilters(input, ['version', 'filter'])
  if (queryTexts(input, 'orderBy').some((order) => order !== 'timestamp.desc'))
    refuseFilters(input, ['orderBy'])
  const request = readPage(input)
  const environments = queryTexts(input, 'environment')
  const where = [
    ...queryTexts(input, 'tags').map((tag) => ({ field: 'tag', is: [tag] })),
    ...(environments.length === 0 ? [] : [{ field: 'environment', is: environments }]),
  ]
  const { items, itemsRead, isWhole } = await readTraces(
    {
      userId: queryText(input, 'userId'),
      name: queryText(input, 'name'),
      sessionId: queryText(input, 'sessionId'),
      where: where.length === 0 ? undefined : JSON.stringify(where),
      release: queryText(input, 'release'),
      from: queryText(input, 'fromTimestamp'),
      to: queryText(input, 'toTimestamp'),
    },
    request,
    context,
  )
  return { data: await toList(items, context), meta: metaOf(request, itemsRead + (isWhole ? 0 : 1)) }
}

/** The observations of one trace. */
export async function listObservations(input: LangfuseInput, context: LangfuseContext): Promise<object> {
  const traceId = queryText(input, 'traceId')
  if (traceId === undefined)
    throw new ServiceError('not_supported', {
      problem: 'Plumbline lists the observations of one trace: pass its `traceId`.',
    })
  refuseFilters(input, missingOfObservations)
  const trace = await readTrace(traceId, context)
  const [type, name] = [queryText(input, 'type'), queryText(input, 'name')]
  const all = trace.logs
    .filter((log) => name === undefined || log.name === name)
    .map((log) => toObservation(log, trace, { traceId, workspaceId: context.workspace.id }))
    .filter((each) => type === undefined || (each as { type: string }).type === type)
  const { items, meta } = pageOf(all, readPage(input))
  return { data: items, meta }
}

const missingOfObservations = [
  ...['userId', 'level', 'parentObservationId', 'environment', 'fromStartTime', 'toStartTime', 'version'],
  'filter',
]

/** The traces of a session. */
export async function getSession({ params }: LangfuseInput, context: LangfuseContext): Promise<object> {
  const id = params.id ?? ''
  const { items: traces } = await readTraces({ sessionId: id }, { page: 1, limit: sessionTracesMax }, context)
  const first = traces.at(-1)
  if (first === undefined) throw new ServiceError('trace_not_found', { id })
  return {
    id,
    projectId: context.workspace.id,
    createdAt: first.startTime,
    environment: first.environment ?? 'default',
    traces: await toList(traces, context),
  }
}

const sessionTracesMax = 1000

/** Our ids are UUIDs of version 7, but an id that an application chose may be one too: then it stands for an OpenTelemetry id. */
async function readTrace(id: string, { call }: LangfuseContext): Promise<StoredTrace> {
  const ownIds = uuidV7OfAnyCasePattern.test(id) ? [id] : []
  for (const candidate of [...ownIds, otelTraceIdOf(id)]) {
    const output = await unless(404, call(operations.traces.get, { id: candidate }))
    if (output !== undefined) return output.trace
  }
  throw new ServiceError('trace_not_found', { id })
}

const readTraces = (
  filters: InputOf<typeof operations.traces.list>,
  request: PageRequest,
  { call }: LangfuseContext,
) =>
  pageByCursors(request, async (cursor) => {
    const limit = Math.min(1000, request.page * request.limit)
    const { traces, nextCursor } = await call(operations.traces.list, { ...filters, limit, cursor })
    return { items: traces, nextCursor }
  })

async function toList(traces: readonly TraceSummary[], { workspace }: LangfuseContext): Promise<object[]> {
  const otelIds = await workspace.traces.otelIdsOf(traces.map(({ id }) => id))
  return traces.map((trace) =>
    toListedTrace(trace, { traceId: otelIds.get(trace.id) ?? trace.id, workspaceId: workspace.id }),
  )
}
