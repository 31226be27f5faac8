import type { Clients } from '../engine/clients.ts'
import { incompletenessOf, isUnpriced } from '../rows/incompleteness.ts'
import type { TraceHead } from '../types.ts'
import {
  byLogKey,
  type CurrentTrace,
  findTrace,
  ofCurrent,
  readLogs,
  readScores,
  readTraceRow,
  type TraceKey,
  traceKey,
} from './find.ts'

/** A trace with its scores, and with its logs if there are not too many. */
export async function findTraceHead(
  clients: Clients,
  workspaceId: string,
  traceId: string,
  logsMax: number,
): Promise<TraceHead | undefined> {
  const key = traceKey(workspaceId, traceId)
  if (key === undefined) return undefined
  const [row, scores] = await Promise.all([readTraceRow(clients, key), readScores(clients, key)])
  if (row === undefined) return undefined
  const { trace, current } = row
  if (trace.logCount > logsMax) {
    const incompleteness = await countIncompleteness(clients, key, current)
    return { trace, scores, logs: undefined, incompleteness }
  }
  const logs = await readLogs(clients, key, current)
  // Replaced between the two reads: `findTrace` waits for the new revision.
  if (current.isReplaceable && logs.length !== trace.logCount) {
    const storedTrace = await findTrace(clients, workspaceId, traceId)
    return storedTrace && { ...storedTrace, incompleteness: incompletenessOf(storedTrace.logs) }
  }
  return { trace, scores, logs, incompleteness: incompletenessOf(logs) }
}

/** Like `incompletenessOf`, by the primary key of `logs`. */
async function countIncompleteness(
  clients: Clients,
  key: TraceKey,
  current: CurrentTrace,
): Promise<TraceHead['incompleteness']> {
  const [row] = await clients.read<{ unpriced: unknown; estimated: unknown }>(
    `SELECT countIf(${isUnpriced}) AS unpriced, countIf(tokens_estimated) AS estimated FROM logs
     WHERE ${byLogKey} AND type = 'generation' AND counts_in_totals`,
    ofCurrent(key, current),
  )
  return { unpriced: Number(row?.unpriced ?? 0), estimated: Number(row?.estimated ?? 0) }
}
