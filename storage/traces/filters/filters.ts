import { currentRows } from '../engine/current-rows.ts'
import type { TraceFilters } from '../types.ts'
import { type Conditions, whereConditions } from './where.ts'
import { withoutJudges } from './without-judges.ts'

/**
 * The filters of a list on the table `traces`, except `q`, leaving out replaced rows and judge calls. Filters on
 * columns of the trace itself let the newest page read in primary key order and stop when it is full.
 */
export function traceConditions(workspaceId: string, filters: TraceFilters): Conditions {
  const { sql, parameters } = storedConditions(workspaceId, filters)
  return { sql: [...sql, ...withoutJudges(filters.where), currentRows('traces')], parameters }
}

/** The same for all rows, including replaced ones. */
export function storedConditions(
  workspaceId: string,
  { where = [], fromUs, toUs, receivedFromMs }: TraceFilters,
): Conditions {
  const conditions = whereConditions(where, 'traces')
  const ranges = [
    ['start_us >= {from:Int64}', 'from', fromUs],
    ['start_us < {to:Int64}', 'to', toUs],
    ['received_at >= fromUnixTimestamp64Milli({receivedFrom:Int64})', 'receivedFrom', receivedFromMs],
  ] as const
  const used = ranges.flatMap(([sql, name, value]) => (value === undefined ? [] : [{ sql, name, value }]))
  return {
    sql: ['workspace_id = {workspace:String}', ...used.map(({ sql }) => sql), ...conditions.sql],
    parameters: {
      workspace: workspaceId,
      ...Object.fromEntries(used.map(({ name, value }) => [name, value])),
      ...conditions.parameters,
    },
  }
}
