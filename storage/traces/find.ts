import type { Clients } from './clients.ts'
import { arrivalMs } from './encode-rows.ts'
import { logColumns, readRow, scoreColumns, selected, traceColumns } from './read-rows.ts'
import { lastGiven } from './scores.ts'
import type { StoredTrace } from './store.ts'

/** Readings of a trace that is being replaced, before one is given whether it is whole or not. */
const triesMax = 5

/** A trace with its logs in the order they were sent and its scores, oldest first. */
export async function findTrace(
  clients: Clients,
  workspaceId: string,
  traceId: string,
): Promise<StoredTrace | undefined> {
  const key = traceKey(workspaceId, traceId)
  if (key === undefined) return undefined
  for (let tried = 1; ; tried++) {
    const found = await readTrace(clients, key)
    // A trace that is replaced between the two reads has lost its logs: the next reading finds the new one.
    if (found === undefined || found.isWhole || tried === triesMax) return found?.stored
  }
}

async function readTrace(
  clients: Clients,
  key: TraceKey,
): Promise<{ stored: StoredTrace; isWhole: boolean } | undefined> {
  // The month and, by the minmax index of arrivals, a few granules in it.
  const [[found], scores] = await Promise.all([
    clients.read<Record<string, unknown>>(
      `SELECT ${selected(traceColumns)}, toString(revision) AS revision FROM traces WHERE ${byTraceKey}
       ORDER BY traces.revision DESC LIMIT 1`,
      key,
    ),
    // By primary key.
    clients.read<Record<string, unknown>>(
      `SELECT ${selected(scoreColumns)} FROM scores
       WHERE workspace_id = {workspace:String} AND trace_id = {trace:UUID}
       ORDER BY created_at, score_id`,
      key,
    ),
  ])
  if (found === undefined) return undefined
  const trace = readRow(traceColumns, found)
  // By primary key, now that the start is known.
  const logs = await clients.read<Record<string, unknown>>(
    `SELECT ${selected(logColumns)} FROM logs
     WHERE trace_start_us = {start:Int64} AND ${byTraceKey} AND revision = {revision:UInt64} ORDER BY position`,
    { ...key, start: trace.startUs, revision: String(found.revision) },
  )
  const stored = {
    trace,
    logs: logs.map((log) => readRow(logColumns, log)),
    scores: lastGiven(scores.map((score) => readRow(scoreColumns, score))),
  }
  // A trace that came whole is never replaced; a log that the engine refused is missing for good.
  return { stored, isWhole: found.revision === '0' || logs.length === trace.logCount }
}

/**
 * Traces with their logs and without their scores, of those ids that are there: two questions for all of them, by the
 * index of arrivals and by primary key. One that is being replaced is read by itself.
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
    `SELECT ${selected(traceColumns)}, toString(revision) AS revision FROM traces
     WHERE ${byTraceKeys} ORDER BY traces.revision`,
    parameters,
  )
  // Of several revisions the last one stays.
  const traces = new Map(
    rows.map((row) => {
      const trace = readRow(traceColumns, row)
      return [trace.traceId, { trace, revision: String(row.revision) }]
    }),
  )
  if (traces.size === 0) return new Map()
  const starts = [...traces.values()].map(({ trace }) => trace.startUs)
  const logRows = await clients.read<Record<string, unknown>>(
    `SELECT ${selected(logColumns)}, toString(revision) AS revision FROM logs
     WHERE trace_start_us IN (${starts.join(', ')}) AND ${byTraceKeys} ORDER BY position`,
    parameters,
  )
  const logs = Map.groupBy(
    logRows.map((row) => ({ log: readRow(logColumns, row), revision: String(row.revision) })),
    ({ log, revision }) => `${log.traceId} ${revision}`,
  )
  const found = new Map<string, Omit<StoredTrace, 'scores'>>()
  for (const [id, { trace, revision }] of traces) {
    const own = (logs.get(`${id} ${revision}`) ?? []).map(({ log }) => log)
    const isWhole = revision === '0' || own.length === trace.logCount
    found.set(
      id,
      isWhole ? { trace, logs: own } : ((await findTrace(clients, workspaceId, id)) ?? { trace, logs: own }),
    )
  }
  return found
}

/** Our id of what an OpenTelemetry trace became; by the index of its id. */
export async function idOfOtelTrace(
  clients: Clients,
  workspaceId: string,
  otelTraceId: string,
): Promise<string | undefined> {
  const [found] = await clients.read<{ id: string }>(
    `SELECT trace_id AS id FROM traces WHERE workspace_id = {workspace:String} AND otel_trace_id = {otel:String}
     ORDER BY start_us, trace_id LIMIT 1`,
    { workspace: workspaceId, otel: otelTraceId },
  )
  return found?.id
}

/** The OpenTelemetry traces that some traces were made of, by our id; by the index of arrivals. */
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

/** Ids of the scores that some traces have; by primary key. */
export async function storedScores(
  clients: Clients,
  traces: readonly { workspaceId: string; traceId: string }[],
): Promise<Set<string>> {
  const ids = [...new Set(traces.map(({ traceId }) => traceId))].filter((id) => uuid7.test(id))
  if (ids.length === 0) return new Set()
  const rows = await clients.read<{ id: string }>(
    `SELECT score_id AS id FROM scores
     WHERE workspace_id IN {workspaces:Array(String)} AND trace_id IN (${ids.map((id) => `'${id}'`).join(',')})`,
    { workspaces: [...new Set(traces.map(({ workspaceId }) => workspaceId))] },
  )
  return new Set(rows.map(({ id }) => id))
}

/** Whether there is such a trace, and such a log in it; served as `findTrace` is. */
export async function traceExists(
  clients: Clients,
  workspaceId: string,
  traceId: string,
  logId?: string,
): Promise<boolean> {
  const key = traceKey(workspaceId, traceId)
  if (key === undefined) return false
  const found =
    logId === undefined
      ? await clients.read(`SELECT 1 AS found FROM traces WHERE ${byTraceKey} LIMIT 1`, key)
      : await clients.read(
          `SELECT 1 AS found FROM logs WHERE ${byTraceKey} AND log_id = {log:String} LIMIT 1`,
          {
            ...key,
            log: logId,
          },
        )
  return found.length > 0
}

/** Those of the ids that are there; by the index of arrivals, as `findTrace`. */
export async function existingTraces(
  clients: Clients,
  workspaceId: string,
  traceIds: readonly string[],
): Promise<Set<string>> {
  const keys = traceIds.flatMap((id) => traceKey(workspaceId, id) ?? [])
  if (keys.length === 0) return new Set()
  const found = await clients.read<{ id: string }>(
    `SELECT trace_id AS id FROM traces
     WHERE workspace_id = {workspace:String} AND received_at IN {arrivals:Array(DateTime64(3, 'UTC'))}
       AND trace_id IN {traces:Array(UUID)}`,
    {
      workspace: workspaceId,
      arrivals: keys.map(({ arrival }) => arrival),
      traces: keys.map(({ trace }) => trace),
    },
  )
  return new Set(found.map(({ id }) => id))
}

/** Those of some logs that are there, by trace and their own id; by the index of arrivals, then as the logs lie. */
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

/** A log of a trace, by the id that the client gave. */
export type LogKey = { readonly traceId: string; readonly logId: string }

const byTraceKey = `workspace_id = {workspace:String} AND received_at = {arrival:DateTime64(3, 'UTC')} AND trace_id = {trace:UUID}`

const byTraceKeys = `workspace_id = {workspace:String} AND received_at IN {arrivals:Array(DateTime64(3, 'UTC'))} AND trace_id IN {traces:Array(UUID)}`

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** The engine's DateTime64 ends here. */
const latestMs = Date.UTC(2262, 0)

type TraceKey = { workspace: string; trace: string; arrival: string }

/** Undefined for an id this store cannot have given a row. */
function traceKey(workspace: string, trace: string): TraceKey | undefined {
  if (!uuid7.test(trace) || arrivalMs(trace) >= latestMs) return undefined
  const iso = new Date(arrivalMs(trace)).toISOString()
  return { workspace, trace, arrival: iso.slice(0, -1).replace('T', ' ') }
}
