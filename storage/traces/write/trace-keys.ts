/** Conditions for the rows of given traces. */
import { uuidPattern } from '@plumbline/contract/uuids'
import { arrivalMs } from '../rows/table-columns.ts'
import type { TraceKey } from '../types.ts'

/**
 * The condition for rows of these traces, served by the primary key. Ids and starts are literals: there are too many
 * for parameters.
 */
export function matchTraces(table: 'traces' | 'logs', keys: readonly TraceKey[]): string {
  const safe = keys.filter(({ traceId }) => uuidPattern.test(traceId))
  const start = table === 'traces' ? 'start_us' : 'trace_start_us'
  const arrivals = safe.map(({ traceId }) => arrivalMs(traceId))
  const first = arrivals.reduce((least, arrival) => Math.min(least, arrival), Number.POSITIVE_INFINITY)
  const last = arrivals.reduce((most, arrival) => Math.max(most, arrival), 0)
  const isInRange = `received_at >= fromUnixTimestamp64Milli(${first}) AND received_at <= fromUnixTimestamp64Milli(${last})`
  return `workspace_id IN {workspaces:Array(String)} AND ${start} IN (${unique(safe.map(({ startUs }) => String(startUs)))})
    AND trace_id IN (${unique(safe.map(({ traceId }) => `'${traceId}'`))}) AND ${isInRange}`
}

const unique = (texts: readonly string[]): string => [...new Set(texts)].join(',')

/** The parameter that the condition needs. */
export const workspacesOf = (keys: readonly TraceKey[]): { workspaces: string[] } => ({
  workspaces: [...new Set(keys.map(({ workspaceId }) => workspaceId))],
})
