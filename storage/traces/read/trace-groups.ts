/** Traces with one session, user or organization, in numbers. */
import type { GroupSort } from '@plumbline/contract'
import type { Clients } from '../engine/clients.ts'
import type { Conditions } from '../filters/where.ts'
import type { GroupPosition, TraceFilters, TraceGroup } from '../types.ts'
import { currentRows } from './current-rows.ts'
import { conditionsWithWords, hasWords } from './list.ts'

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

/**
 * A page of groups of the matching traces. First finds which groups are on it, from few columns; then sums the traces of
 * these groups alone, since sums of every group took most of the time of a list.
 */
export async function groupTraces(
  clients: Clients,
  workspaceId: string,
  groupBy: GroupBy,
  filters: TraceFilters,
  page: GroupPage,
): Promise<{ groups: TraceGroup[]; next?: GroupPosition }> {
  const conditions = conditionsWithWords(workspaceId, filters)
  conditions.sql.push(`ifNull(${groupBy}, '') != ''`)
  const isInOrder = isInOrderOfStart(page) && !hasWords(filters)
  const statement = isInOrder ? groupsInOrder : groupsByKey
  const rows = await clients.search<{ id: string; k: string }>(statement(groupBy, conditions.sql, page), {
    ...conditions.parameters,
    limit: page.limit + 1,
    ...(page.before === undefined ? {} : { beforeKey: page.before.key, beforeId: page.before.id }),
  })
  const ids = rows.slice(0, page.limit).map(({ id }) => id)
  const groups = await sumGroups(clients, groupBy, conditions, ids)
  const last = rows[page.limit - 1]
  return rows.length > page.limit && last !== undefined
    ? { groups, next: { key: BigInt(last.k), id: last.id } }
    : { groups }
}

/** The first trace of a group in the order of the primary key, or against it, then has the sort key of the group. */
const isInOrderOfStart = ({ sort, isAscending }: GroupPage): boolean =>
  isAscending ? sort === 'first' : sort === 'last'

/**
 * Reads traces in the order of the primary key until the page is full. A page that follows leaves out the groups of earlier
 * ones by reading the traces before its position once more: what a page costs depends on how deep it is, and not on how
 * many traces follow. Without buffers the engine reads no further than it has to.
 */
function groupsInOrder(
  groupBy: GroupBy,
  conditions: readonly string[],
  { isAscending, before }: GroupPage,
): string {
  const [direction, follows, precedes] = isAscending ? ['ASC', '>', '<='] : ['DESC', '<', '>=']
  const id = `assumeNotNull(${groupBy})`
  const where = conditions.join(' AND ')
  // The comparison of the start alone lets the engine use the primary key.
  const isOnSide = (side: string): string =>
    `start_us ${side[0]}= {beforeKey:Int64} AND (start_us, ${id}) ${side} ({beforeKey:Int64}, {beforeId:String})`
  const rest =
    before === undefined
      ? ''
      : `AND ${isOnSide(follows)} AND ${id} NOT IN (SELECT ${id} FROM traces WHERE ${where} AND ${isOnSide(precedes)})`
  return `SELECT ${id} AS id, toString(start_us) AS k FROM traces WHERE ${where} ${rest}
    ORDER BY start_us ${direction}, id ${direction} LIMIT 1 BY id LIMIT {limit:UInt32}
    SETTINGS read_in_order_use_buffering = 0`
}

/** Compares every group, by what its key is made of. A search, too, finds all of its traces before the first is read. */
function groupsByKey(
  groupBy: GroupBy,
  conditions: readonly string[],
  { sort, isAscending, before }: GroupPage,
): string {
  const direction = isAscending ? 'ASC' : 'DESC'
  return `SELECT assumeNotNull(${groupBy}) AS id, toString(${sortKeys[sort]} AS sort_key) AS k
    FROM traces WHERE ${conditions.join(' AND ')} GROUP BY ${groupBy}
    ${before === undefined ? '' : `HAVING (sort_key, id) ${isAscending ? '>' : '<'} ({beforeKey:Int64}, {beforeId:String})`}
    ORDER BY sort_key ${direction}, id ${direction} LIMIT {limit:UInt32}`
}

/** What the matching traces of some groups add up to, in the order of the ids. */
async function sumGroups(
  clients: Clients,
  groupBy: GroupBy,
  { sql, parameters }: Conditions,
  ids: readonly string[],
): Promise<TraceGroup[]> {
  if (ids.length === 0) return []
  const rows = await clients.search<Record<string, unknown>>(
    `SELECT assumeNotNull(${groupBy}) AS id, toString(count()) AS traces, toString(countIf(errors > 0)) AS failed,
       toString(min(start_us)) AS first, toString(max(start_us)) AS last, toString(max(ifNull(end_us, start_us))) AS end,
       sum(cost) AS cost_sum, sum(input_tokens + output_tokens) AS token_sum,
       toString(uniqExact(session_id)) AS sessions, toString(uniqExact(user_id)) AS users,
       argMax(tuple(user_id, user_name, organization_id, organization_name), start_us) AS newest,
       newest.1 AS user, newest.2 AS user_label, newest.3 AS org, newest.4 AS org_label
     FROM traces WHERE ${sql.join(' AND ')} AND ${groupBy} IN {groups:Array(String)}
     GROUP BY ${groupBy}`,
    { ...parameters, groups: ids },
  )
  const byId = new Map(rows.map(toGroup).map((group) => [group.id, group]))
  // One whose traces were deleted meanwhile is missing.
  return ids.flatMap((id) => byId.get(id) ?? [])
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
  const ofGroups = `${groupBy} IN {groups:Array(String)}`
  const rows = await clients.search<{ id: string; name: string; n: string; mean: number | null }>(
    `SELECT g.id AS id, s.name AS name, toString(count()) AS n, avg(s.number) AS mean
     FROM (
       SELECT trace_id, assumeNotNull(${groupBy}) AS id FROM traces
       WHERE workspace_id = {workspace:String} AND ${ofGroups} AND ${currentRows('traces')}
     ) AS g INNER JOIN (
       SELECT trace_id, name, argMax(number, revision) AS number FROM scores
       WHERE workspace_id = {workspace:String} AND trace_id IN (SELECT trace_id FROM traces WHERE ${sql.join(' AND ')} AND ${ofGroups})
       GROUP BY trace_id, name, score_id
     ) AS s ON s.trace_id = g.trace_id
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
