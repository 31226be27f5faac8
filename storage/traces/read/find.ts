import { uuidV7OfAnyCasePattern } from '@plumbline/contract/uuids'
import type { Clients } from '../engine/clients.ts'
import { logColumns, readRow, scoreColumns, selectList, traceColumns } from '../rows/read-rows.ts'
import type { LogRow, ScoreRow, TraceRow } from '../rows/row-types.ts'
import { arrivalMs } from '../rows/table-columns.ts'
import type { LogKey, StoredScore, StoredTrace } from '../types.ts'
import { latestRevisions } from './scores.ts'

/** Attempts to read a trace that is being replaced, before it is returned even if incomplete. */
const attemptsMax = 5

const byTraceKey = `workspace_id = {workspace:String} AND received_at = {arrival:DateTime64(3, 'UTC')} AND trace_id = {trace:UUID}`

/** A trace with its logs in the order they were sent and its scores, oldest first. */
export const findTrace = async (
  clients: Clients,
  workspaceId: string,
  traceId: string,
): Promise<StoredTrace | undefined> => (await findRevision(clients, workspaceId, traceId))?.storedTrace

/** The same, with the revision of its rows. */
export async function findRevision(
  clients: Clients,
  workspaceId: string,
  traceId: string,
): Promise<{ readonly storedTrace: StoredTrace; readonly revision: string } | undefined> {
  const key = traceKey(workspaceId, traceId)
  if (key === undefined) return undefined
  for (let attempt = 1; ; attempt++) {
    const result = await readTrace(clients, key)
    // A trace that is replaced between the two reads has no logs: the next attempt reads the new revision.
    if (result === undefined || result.isWhole || attempt === attemptsMax) return result
  }
}

/** The scores of a trace, oldest first, even if the trace is not stored. */
export async function scoresOfTrace(
  clients: Clients,
  workspaceId: string,
  traceId: string,
): Promise<ScoreRow[]> {
  const key = traceKey(workspaceId, traceId)
  return key === undefined ? [] : readScores(clients, key)
}

/** Served by the primary key. */
export async function readScores(clients: Clients, key: TraceKey): Promise<ScoreRow[]> {
  const rows = await clients.read<Record<string, unknown>>(
    `SELECT ${selectList(scoreColumns)} FROM scores
     WHERE workspace_id = {workspace:String} AND trace_id = {trace:UUID}
     ORDER BY created_at, score_id`,
    key,
  )
  return latestRevisions(rows.map((row) => readRow(scoreColumns, row)))
}

/** The current revision of a trace. */
export type CurrentTrace = {
  readonly startUs: bigint
  readonly logCount: number
  readonly revision: string
  /** False for a trace that was recorded in one piece. */
  readonly isReplaceable: boolean
}

/** The current revision of a trace: by the month's partition, and the minmax index of arrivals within it. */
export async function findCurrent(clients: Clients, key: TraceKey): Promise<CurrentTrace | undefined> {
  const [row] = await clients.read<Record<string, unknown>>(
    `SELECT ${currentColumns} FROM traces WHERE ${byTraceKey} ORDER BY traces.revision DESC LIMIT 1`,
    key,
  )
  return row && toCurrent(row)
}

const currentColumns = `toString(start_us) AS start, log_count AS logs, toString(revision) AS revision, otel_trace_id AS otel`

const toCurrent = (row: Readonly<Record<string, unknown>>): CurrentTrace => ({
  startUs: BigInt(String(row.start)),
  logCount: Number(row.logs),
  revision: String(row.revision),
  isReplaceable: row.otel !== '',
})

/** The logs of a revision by primary key, now that the start is known; with the parameters of `ofCurrent`. */
export const byLogKey = `trace_start_us = {start:Int64} AND ${byTraceKey} AND revision = {revision:UInt64}`
export const ofCurrent = (key: TraceKey, { startUs, revision }: CurrentTrace) => ({
  ...key,
  start: startUs,
  revision,
})

/** The row of the current revision, found as `findCurrent` does. */
export async function readTraceRow(
  clients: Clients,
  key: TraceKey,
): Promise<{ trace: TraceRow; current: CurrentTrace } | undefined> {
  const [row] = await clients.read<Record<string, unknown>>(
    `SELECT ${selectList(traceColumns)}, ${currentColumns} FROM traces WHERE ${byTraceKey}
     ORDER BY traces.revision DESC LIMIT 1`,
    key,
  )
  return row && { trace: readRow(traceColumns, row), current: toCurrent(row) }
}

async function readTrace(
  clients: Clients,
  key: TraceKey,
): Promise<{ storedTrace: StoredTrace; revision: string; isWhole: boolean } | undefined> {
  const [row, scores] = await Promise.all([readTraceRow(clients, key), readScores(clients, key)])
  if (row === undefined) return undefined
  const { trace, current } = row
  const logs = await readLogs(clients, key, current)
  // A trace recorded in one piece is never replaced: a missing log was rejected by the engine.
  return {
    storedTrace: { trace, logs, scores },
    revision: current.revision,
    isWhole: !current.isReplaceable || logs.length === trace.logCount,
  }
}

/** The logs of a revision, in the order they were sent. */
export async function readLogs(clients: Clients, key: TraceKey, current: CurrentTrace): Promise<LogRow[]> {
  const rows = await clients.read<Record<string, unknown>>(
    `SELECT ${selectList(logColumns)} FROM logs WHERE ${byLogKey} ORDER BY position`,
    ofCurrent(key, current),
  )
  return rows.map((row) => readRow(logColumns, row))
}

/**
 * The traces with these ids that exist, with logs and without scores: two queries for all of them, by the index of
 * arrivals and by primary key. A trace that is being replaced is read separately.
 */
export async function findTraces(
  clients: Clients,
  workspaceId: string,
  traceIds: readonly string[],
): Promise<Map<string, Omit<StoredTrace, 'scores'>>> {
  const keys = traceIds.flatMap((id) => traceKey(workspaceId, id) ?? [])
  if (keys.length === 0) return new Map()
  const parameters = {
    workspace: workspaceId,
    arrivals: keys.map(({ arrival }) => arrival),
    traces: keys.map(({ trace }) => trace),
  }
  const rows = await clients.read<Record<string, unknown>>(
    `SELECT ${selectList(traceColumns)}, toString(revision) AS revision, otel_trace_id AS otel FROM traces
     WHERE ${byTraceKeys} ORDER BY traces.revision`,
    parameters,
  )
  // The last of several revisions wins.
  const traces = new Map(
    rows.map((row) => {
      const trace = readRow(traceColumns, row)
      return [trace.traceId, { trace, revision: String(row.revision), isReplaceable: row.otel !== '' }]
    }),
  )
  if (traces.size === 0) return new Map()
  const starts = [...traces.values()].map(({ trace }) => trace.startUs)
  const logRows = await clients.read<Record<string, unknown>>(
    `SELECT ${selectList(logColumns)}, toString(revision) AS revision FROM logs
     WHERE trace_start_us IN (${starts.join(', ')}) AND ${byTraceKeys} ORDER BY position`,
    parameters,
  )
  const logs = Map.groupBy(
    logRows.map((row) => ({ log: readRow(logColumns, row), revision: String(row.revision) })),
    ({ log, revision }) => `${log.traceId} ${revision}`,
  )
  const storedTraces = new Map<string, Omit<StoredTrace, 'scores'>>()
  for (const [id, { trace, revision, isReplaceable }] of traces) {
    const ownLogs = (logs.get(`${id} ${revision}`) ?? []).map(({ log }) => log)
    const isWhole = !isReplaceable || ownLogs.length === trace.logCount
    storedTraces.set(
      id,
      isWhole
        ? { trace, logs: ownLogs }
        : ((await findTrace(clients, workspaceId, id)) ?? { trace, logs: ownLogs }),
    )
  }
  return storedTraces
}

/** Our id of the trace assembled from an OpenTelemetry trace, by the index of its id. */
export async function idOfOtelTrace(
  clients: Clients,
  workspaceId: string,
  otelTraceId: string,
): Promise<string | undefined> {
  const [row] = await clients.read<{ id: string }>(
    `SELECT trace_id AS id FROM traces WHERE workspace_id = {workspace:String} AND otel_trace_id = {otel:String}
     ORDER BY start_us, trace_id LIMIT 1`,
    { workspace: workspaceId, otel: otelTraceId },
  )
  return row?.id
}

/** Maps our ids to those of the OpenTelemetry traces they were assembled from, by the index of arrivals. */
export async function otelIdsOf(
  clients: Clients,
  workspaceId: string,
  traceIds: readonly string[],
): Promise<Map<string, string>> {
  const keys = traceIds.flatMap((id) => traceKey(workspaceId, id) ?? [])
  if (keys.length === 0) return new Map()
  const rows = await clients.read<{ id: string; otel: string }>(
    `SELECT trace_id AS id, otel_trace_id AS otel FROM traces WHERE ${byTraceKeys} AND otel_trace_id != ''`,
    {
      workspace: workspaceId,
      arrivals: keys.map(({ arrival }) => arrival),
      traces: keys.map(({ trace }) => trace),
    },
  )
  return new Map(rows.map(({ id, otel }) => [id, otel]))
}

const storedScoreColumns = {
  scoreId: scoreColumns.scoreId,
  traceId: scoreColumns.traceId,
  logId: scoreColumns.logId,
  name: scoreColumns.name,
  value: scoreColumns.value,
  createdAtMs: scoreColumns.createdAtMs,
  source: scoreColumns.source,
}

/** The fields that identify the scores of some traces, by primary key. */
export async function storedScores(
  clients: Clients,
  traces: readonly { workspaceId: string; traceId: string }[],
): Promise<StoredScore[]> {
  const ids = [...new Set(traces.map(({ traceId }) => traceId))].filter((id) =>
    uuidV7OfAnyCasePattern.test(id),
  )
  if (ids.length === 0) return []
  const rows = await clients.read<Record<string, unknown>>(
    `SELECT ${selectList(storedScoreColumns)} FROM scores
     WHERE workspace_id IN {workspaces:Array(String)} AND trace_id IN (${ids.map((id) => `'${id}'`).join(',')})`,
    { workspaces: [...new Set(traces.map(({ workspaceId }) => workspaceId))] },
  )
  return rows.map((row): StoredScore => readRow(storedScoreColumns, row))
}

/** Whether a trace exists, and a log in it if given; served like `findTrace`. */
export async function traceExists(
  clients: Clients,
  workspaceId: string,
  traceId: string,
  logId?: string,
): Promise<boolean> {
  const key = traceKey(workspaceId, traceId)
  if (key === undefined) return false
  const rows =
    logId === undefined
      ? await clients.read(`SELECT 1 AS found FROM traces WHERE ${byTraceKey} LIMIT 1`, key)
      : await clients.read(
          `SELECT 1 AS found FROM logs WHERE ${byTraceKey} AND log_id = {log:String} LIMIT 1`,
          {
            ...key,
            log: logId,
          },
        )
  return rows.length > 0
}

/** The ids that exist, by the index of arrivals like `findTrace`. */
export async function existingTraces(
  clients: Clients,
  workspaceId: string,
  traceIds: readonly string[],
): Promise<Set<string>> {
  const keys = traceIds.flatMap((id) => traceKey(workspaceId, id) ?? [])
  if (keys.length === 0) return new Set()
  const rows = await clients.read<{ id: string }>(
    `SELECT trace_id AS id FROM traces
     WHERE workspace_id = {workspace:String} AND received_at IN {arrivals:Array(DateTime64(3, 'UTC'))}
       AND trace_id IN {traces:Array(UUID)}`,
    {
      workspace: workspaceId,
      arrivals: keys.map(({ arrival }) => arrival),
      traces: keys.map(({ trace }) => trace),
    },
  )
  return new Set(rows.map(({ id }) => id))
}

/** The logs that exist, by the index of arrivals. */
export async function existingLogs(
  clients: Clients,
  workspaceId: string,
  logs: readonly LogKey[],
): Promise<LogKey[]> {
  const keys = logs.flatMap(({ traceId }) => traceKey(workspaceId, traceId) ?? [])
  if (keys.length === 0) return []
  return clients.read<LogKey>(
    `SELECT DISTINCT trace_id AS traceId, log_id AS logId FROM logs
     WHERE ${byTraceKeys} AND log_id IN {logs:Array(String)}`,
    {
      workspace: workspaceId,
      arrivals: keys.map(({ arrival }) => arrival),
      traces: keys.map(({ trace }) => trace),
      logs: logs.map(({ logId }) => logId),
    },
  )
}

export const byTraceKeys = `workspace_id = {workspace:String} AND received_at IN {arrivals:Array(DateTime64(3, 'UTC'))} AND trace_id IN {traces:Array(UUID)}`

/** The end of the engine's DateTime64 range. */
const latestMs = Date.UTC(2262, 0)

export type TraceKey = { workspace: string; trace: string; arrival: string }

/** Undefined for an id that cannot be in this store. */
export function traceKey(workspace: string, trace: string): TraceKey | undefined {
  if (!uuidV7OfAnyCasePattern.test(trace) || arrivalMs(trace) >= latestMs) return undefined
  const iso = new Date(arrivalMs(trace)).toISOString()
  return { workspace, trace, arrival: iso.slice(0, -1).replace('T', ' ') }
}
