/** Traces with one session, user or organization, in numbers. */
import type { GroupSort } from '@plumbline/contract'
import type { Clients } from '../engine/clients.ts'
import type { GroupPosition, TraceFilters, TraceGroup } from '../types.ts'
import { conditionsWithWords } from './list.ts'

export type GroupBy = 'session_id' | 'user_id' | 'organization_id'

/** Each sort key as an integer, so that a cursor is exact. */
const sortKeys: Readonly<Record<GroupSort, string>> = {
  last: 'max(start_us)',
  first: 'min(start_us)',
  traces: 'toInt64(count())',
  duration: 'max(ifNull(end_us, start_us)) - min(start_us)',
  // `least` would pass over a null.
  cost: 'ifNull(toInt64(round(if(sum(cost) > 1e9, 1e9, sum(cost)) * 1e9)), toInt64(-1))',
  tokens: 'toInt64(round(least(sum(input_tokens + output_tokens), 1e18)))',
  errors: 'toInt64(countIf(errors > 0))',
  sessions: 'toInt64(uniqExact(session_id))',
}

interface GroupPage {
  readonly limit: number
  readonly sort: GroupSort
  readonly isAscending: boolean
  readonly before?: GroupPosition | undefined
}

/** A page of groups of the matching traces, which reads small columns only: texts and scores are read for the page. */
export async function groupTraces(
  clients: Clients,
  workspaceId: string,
  groupBy: GroupBy,
  filters: TraceFilters,
  { limit, sort, isAscending, before }: GroupPage,
): Promise<{ groups: TraceGroup[]; next?: GroupPosition }> {
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  const direction = isAscending ? 'ASC' : 'DESC'
  const rows = await clients.search<Record<string, unknown>>(
    `SELECT assumeNotNull(${groupBy}) AS id, toString(${sortKeys[sort]} AS sort_key) AS k,
       toString(count()) AS traces, toString(countIf(errors > 0)) AS failed,
       toString(min(start_us)) AS first, toString(max(start_us)) AS last, toString(max(ifNull(end_us, start_us))) AS end,
       sum(cost) AS cost_sum, sum(input_tokens + output_tokens) AS token_sum,
       toString(uniqExact(session_id)) AS sessions, toString(uniqExact(user_id)) AS users,
       argMax(tuple(user_id, user_name), start_us).1 AS user, argMax(tuple(user_id, user_name), start_us).2 AS user_label,
       argMax(tuple(organization_id, organization_name), start_us).1 AS org,
       argMax(tuple(organization_id, organization_name), start_us).2 AS org_label
     FROM traces WHERE ${sql.join(' AND ')} AND ifNull(${groupBy}, '') != ''
     GROUP BY ${groupBy}
     ${before === undefined ? '' : `HAVING (sort_key, id) ${isAscending ? '>' : '<'} ({beforeKey:Int64}, {beforeId:String})`}
     ORDER BY sort_key ${direction}, id ${direction} LIMIT {limit:UInt32}`,
    {
      ...parameters,
      limit: limit + 1,
      ...(before === undefined ? {} : { beforeKey: before.key, beforeId: before.id }),
    },
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const groups = page.map(toGroup)
  return rows.length > limit && last !== undefined
    ? { groups, next: { key: BigInt(String(last.k)), id: String(last.id) } }
    : { groups }
}

const textOrNull = (cell: unknown): string | null =>
  cell === null || cell === undefined ? null : String(cell)

const toGroup = (row: Record<string, unknown>): TraceGroup => ({
  id: String(row.id),
  traces: Number(row.traces),
  failed: Number(row.failed),
  firstUs: BigInt(String(row.first)),
  lastUs: BigInt(String(row.last)),
  endUs: BigInt(String(row.end)),
  cost: row.cost_sum === null ? null : Number(row.cost_sum),
  tokens: Number(row.token_sum),
  sessions: Number(row.sessions),
  users: Number(row.users),
  userId: textOrNull(row.user),
  userName: textOrNull(row.user_label),
  organizationId: textOrNull(row.org),
  organizationName: textOrNull(row.org_label),
})

/** Counts and means of the scores of groups, by name. Only the traces of the groups are read, by the filter's range. */
export async function scoresOfGroups(
  clients: Clients,
  workspaceId: string,
  groupBy: GroupBy,
  filters: TraceFilters,
  ids: readonly string[],
): Promise<Map<string, { name: string; count: number; mean: number | null }[]>> {
  if (ids.length === 0) return new Map()
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  const traces = `SELECT trace_id, assumeNotNull(${groupBy}) AS id FROM traces WHERE ${sql.join(' AND ')} AND ${groupBy} IN {groups:Array(String)}`
  const rows = await clients.search<{ id: string; name: string; n: string; mean: number | null }>(
    `SELECT g.id AS id, s.name AS name, toString(count()) AS n, avg(s.number) AS mean
     FROM (
       SELECT trace_id, name, argMax(number, revision) AS number FROM scores
       WHERE workspace_id = {workspace:String} AND trace_id IN (SELECT trace_id FROM (${traces}))
       GROUP BY trace_id, name, score_id
     ) AS s INNER JOIN (${traces}) AS g ON s.trace_id = g.trace_id
     GROUP BY g.id, s.name ORDER BY s.name`,
    { ...parameters, groups: ids },
  )
  const scores = new Map<string, { name: string; count: number; mean: number | null }[]>()
  for (const { id, name, n, mean } of rows) {
    const list = scores.get(id) ?? []
    list.push({
      name,
      count: Number(n),
      mean: mean === null || Number.isNaN(Number(mean)) ? null : Number(mean),
    })
    scores.set(id, list)
  }
  return scores
}
