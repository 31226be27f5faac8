import { uuidPattern } from '@plumbline/contract/uuids'
import { ControlStoreAway } from '@plumbline/storage/control'
import {
  latestRevisions,
  type ScoreRow,
  type StoredTrace,
  TraceStoreUnavailable,
} from '@plumbline/storage/traces'
import type { Workspace } from '../workspace/workspace.ts'
import { unstoredScores } from './unstored-scores.ts'

type OpenTrace = NonNullable<Awaited<ReturnType<Workspace['openTraces']['find']>>>

const otelTraceId = /^[0-9a-f]{32}$/

/**
 * Finds a trace with its logs and scores, including everything acknowledged: in the spool, among spans that are not
 * assembled yet, or in the trace store, in the order that traces pass through them. An OpenTelemetry trace is also found by
 * its OpenTelemetry id.
 */
export async function findTrace(requestedId: string, workspace: Workspace): Promise<StoredTrace | undefined> {
  try {
    const located = await locateTrace(requestedId, workspace)
    return located?.storedId === undefined ? located?.rows : await findStored(located.storedId, workspace)
  } catch (error) {
    if (error instanceof ControlStoreAway) return findStoredWhileAway(requestedId, error, workspace)
    throw error
  }
}

/**
 * Only the control plane knows about spans that are not assembled yet. While it is unavailable, the trace store is read, but
 * a trace missing there may still exist.
 */
async function findStoredWhileAway(
  requestedId: string,
  whyAway: ControlStoreAway,
  workspace: Workspace,
): Promise<StoredTrace> {
  const storedId = otelTraceId.test(requestedId) ? await workspace.traces.idOf(requestedId) : requestedId
  const storedTrace = storedId === undefined ? undefined : await findStored(storedId, workspace)
  if (storedTrace === undefined) throw whyAway
  return storedTrace
}

/** Like `findTrace`, without scores, for several ids with one query of the trace store. */
export async function findTraces(
  requestedIds: readonly string[],
  workspace: Workspace,
): Promise<Map<string, Omit<StoredTrace, 'scores'>>> {
  const ids = [...new Set(requestedIds)]
  const located = await Promise.all(ids.map(async (id) => ({ id, trace: await locateTrace(id, workspace) })))
  const storedIds = located.flatMap(({ trace }) => trace?.storedId ?? [])
  const storedTraces = await workspace.traces.findMany([...new Set(storedIds)])
  return new Map(
    located.flatMap(({ id, trace }) => {
      const rows = trace?.storedId === undefined ? trace?.rows : storedTraces.get(trace.storedId)
      return rows === undefined ? [] : [[id, rows]]
    }),
  )
}

/** A trace that is not in the trace store yet, with its rows; or its id there if it exists. */
export type LocatedTrace =
  | { readonly rows: StoredTrace; readonly storedId?: undefined }
  | { readonly storedId: string }

/** Looks for a trace in the order of `findTrace`, without reading it from the trace store. */
export async function locateTrace(
  requestedId: string,
  workspace: Workspace,
): Promise<LocatedTrace | undefined> {
  const { openTraces, traces } = workspace
  if (!otelTraceId.test(requestedId))
    return uuidPattern.test(requestedId) ? locateByOurs(requestedId, workspace) : undefined
  const open = await openTraces.find(requestedId)
  const first = open?.traces[0]?.trace.traceId
  if (open !== undefined && first !== undefined) return toLocated(await fromOpen(open, first, workspace))
  const storedId = await traces.idOf(requestedId)
  return storedId === undefined ? undefined : { storedId }
}

/** The id that a trace is stored under, if the given one may be its OpenTelemetry id; other ids are returned unchanged. */
export async function findStoredId(requestedId: string, workspace: Workspace): Promise<string> {
  const id = requestedId.toLowerCase()
  if (!otelTraceId.test(id)) return id
  const located = await locateTrace(id, workspace)
  return located?.storedId ?? located?.rows.trace.traceId ?? id
}

async function locateByOurs(id: string, workspace: Workspace): Promise<LocatedTrace | undefined> {
  const { recorder, openTraces, traces } = workspace
  const pending = await recorder.pendingScores(id)
  const recorded = await recorder.findPending(id)
  if (recorded !== undefined) {
    // With a shared spool, one node's score may be stored before another node's trace.
    const storedScores = recorder.isShared ? await traces.scoresOf(id).catch(noneWhileAway) : []
    const scores = inOrder([...storedScores, ...pending])
    return { rows: { trace: recorded.trace, logs: recorded.logs, scores } }
  }
  const open = await openTraces.findByOurs(id)
  return open === undefined ? { storedId: id } : toLocated(await fromOpen(open, id, workspace))
}

const toLocated = (rows: StoredTrace | undefined): LocatedTrace | undefined => rows && { rows }

/** Pending scores are read before the store: otherwise both would miss a score that reaches the store in between. */
async function findStored(id: string, { recorder, traces }: Workspace): Promise<StoredTrace | undefined> {
  const pending = await recorder.pendingScores(id)
  const storedTrace = await traces.find(id)
  return storedTrace && { ...storedTrace, scores: inOrder([...storedTrace.scores, ...pending]) }
}

async function fromOpen(
  open: OpenTrace,
  id: string,
  { recorder, traces }: Workspace,
): Promise<StoredTrace | undefined> {
  const openTrace = open.traces.find(({ trace }) => trace.traceId === id)
  const pending = await recorder.pendingScores(id)
  const storedScores = await traces.scoresOf(id)
  const reported = open.scores.filter(({ traceId }) => traceId === id)
  return (
    openTrace && {
      trace: openTrace.trace,
      logs: openTrace.logs,
      scores: inOrder([...unstoredScores(reported, storedScores), ...storedScores, ...pending]),
    }
  )
}

/** While the trace store is unavailable, what is in the spool can still be read. */
function noneWhileAway(error: unknown): ScoreRow[] {
  if (error instanceof TraceStoreUnavailable) return []
  throw error
}

/** The latest revision of each score, oldest score first. */
export const inOrder = (scores: readonly ScoreRow[]): ScoreRow[] =>
  latestRevisions(scores).sort((a, b) => (a.scoreId < b.scoreId ? -1 : 1))
