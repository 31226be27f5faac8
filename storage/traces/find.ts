import type { Clients } from './clients.ts'
import { arrivalMs } from './encode-rows.ts'
import { logColumns, readRow, scoreColumns, selected, traceColumns } from './read-rows.ts'
import type { StoredTrace } from './store.ts'

/** A trace with its logs in the order they were sent and its scores, oldest first. */
export async function findTrace(
  clients: Clients,
  workspaceId: string,
  traceId: string,
): Promise<StoredTrace | undefined> {
  const key = traceKey(workspaceId, traceId)
  if (key === undefined) return undefined
  // The month and, by the minmax index of arrivals, a few granules in it.
  const [[found], scores] = await Promise.all([
    clients.read<Record<string, unknown>>(
      `SELECT ${selected(traceColumns)} FROM traces WHERE ${byTraceKey} LIMIT 1`,
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
    `SELECT ${selected(logColumns)} FROM logs WHERE trace_start_us = {start:Int64} AND ${byTraceKey} ORDER BY position`,
    { ...key, start: trace.startUs },
  )
  return {
    trace,
    logs: logs.map((log) => readRow(logColumns, log)),
    scores: scores.map((score) => readRow(scoreColumns, score)),
  }
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

const byTraceKey = `workspace_id = {workspace:String} AND received_at = {arrival:DateTime64(3, 'UTC')} AND trace_id = {trace:UUID}`

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** The engine's DateTime64 ends here. */
const latestMs = Date.UTC(2262, 0)

/** Undefined for an id this store cannot have given a row. */
function traceKey(
  workspace: string,
  trace: string,
): { workspace: string; trace: string; arrival: string } | undefined {
  if (!uuid7.test(trace) || arrivalMs(trace) >= latestMs) return undefined
  const iso = new Date(arrivalMs(trace)).toISOString()
  return { workspace, trace, arrival: iso.slice(0, -1).replace('T', ' ') }
}
