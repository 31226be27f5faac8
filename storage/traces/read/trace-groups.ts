/** Traces with one session, user or organization, in numbers. */
import type { GroupSort } from '@plumbline/contract'
import type { Clients } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'
import { traceConditions } from '../filters/filters.ts'
import type { Conditions } from '../filters/where.ts'
import type { GroupPosition, TraceFilters, TraceGroup } from '../types.ts'
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
  const ofGroups = [...conditions.sql, `ifNull(${groupBy}, '') != ''`]
  const find = (statement: string) =>
    clients.search<{ id: string; k: string }>(statement, {
      ...conditions.parameters,
      limit: page.limit + 1,
      ...(page.before === undefined ? {} : { beforeKey: page.before.key, beforeId: page.before.id }),
    })
  const isInOrder = isInOrderOfStart(page) && !hasWords(filters)
  // Most pages of the latest groups are within a day, so that parts of earlier months are not opened.
  const latest =
    isInOrder && !page.isAscending && filters.fromUs === undefined
      ? await find(groupsInOrder(groupBy, [...ofGroups, isWithinADay(page)], page))
      : []
  const statement = isInOrder ? groupsInOrder : groupsByKey
  const rows = latest.length > page.limit ? latest : await find(statement(groupBy, ofGroups, page))
  const ids = rows.slice(0, page.limit).map(({ id }) => id)
  const sums = await sumGroups(clients, groupBy, conditions, ids)
  const names = await namesOfGroups(clients, workspaceId, groupBy, filters, sums)
  const groups = sums.map((group): TraceGroup => ({ ...group, ...(names.get(group.id) ?? noNames) }))
  const last = rows[page.limit - 1]
  return rows.length > page.limit && last !== undefined
    ? { groups, next: { key: BigInt(last.k), id: last.id } }
    : { groups }
}

/** The first trace of a group in the order of the primary key, or against it, then has the sort key of the group. */
const isInOrderOfStart = ({ sort, isAscending }: GroupPage): boolean =>
  isAscending ? sort === 'first' : sort === 'last'

const dayUs = 86_400_000_000

/** Traces that started in the day before now, or before the position of the page, or later. */
const isWithinADay = ({ before }: GroupPage): string =>
  `start_us >= ${before === undefined ? 'toUnixTimestamp64Micro(now64(6))' : '{beforeKey:Int64}'} - ${dayUs}`

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
    FROM traces WHERE ${conditions.join(' AND ')} GROUP BY id
    ${before === undefined ? '' : `HAVING (sort_key, id) ${isAscending ? '>' : '<'} ({beforeKey:Int64}, {beforeId:String})`}
    ORDER BY sort_key ${direction}, id ${direction} LIMIT {limit:UInt32}`
}

type Names = Pick<TraceGroup, 'userId' | 'userName' | 'organizationId' | 'organizationName'>
type Sums = Omit<TraceGroup, keyof Names>

/** What is counted in the groups besides their traces: what their lists show, since it takes another column. */
const countedIn: Readonly<Record<GroupBy, readonly ('sessions' | 'users')[]>> = {
  session_id: [],
  user_id: ['sessions'],
  organization_id: ['sessions', 'users'],
}
const distinct = { sessions: 'uniqExact(session_id)', users: 'uniqExact(user_id)' } as const

/** What the matching traces of some groups add up to, in the order of the ids. Reads numbers of all of these traces. */
async function sumGroups(
  clients: Clients,
  groupBy: GroupBy,
  { sql, parameters }: Conditions,
  ids: readonly string[],
): Promise<Sums[]> {
  if (ids.length === 0) return []
  const counts = countedIn[groupBy].map((name) => `, toString(${distinct[name]}) AS ${name}`)
  const rows = await clients.search<Record<string, unknown>>(
    `SELECT assumeNotNull(${groupBy}) AS id, toString(count()) AS traces, toString(countIf(errors > 0)) AS failed,
       toString(min(start_us)) AS first, toString(max(start_us)) AS last, toString(max(ifNull(end_us, start_us))) AS end,
       sum(cost) AS cost_sum, sum(input_tokens + output_tokens) AS token_sum ${counts.join('')}
     FROM traces WHERE ${sql.join(' AND ')} AND ${groupBy} IN {groups:Array(String)}
     GROUP BY ${groupBy}`,
    { ...parameters, groups: ids },
  )
  const byId = new Map(rows.map(toSums).map((sums) => [sums.id, sums]))
  // One whose traces were deleted meanwhile is missing.
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Whose the latest trace of each group is. These traces are read by the primary key. */
async function namesOfGroups(
  clients: Clients,
  workspaceId: string,
  groupBy: GroupBy,
  filters: TraceFilters,
  groups: readonly Sums[],
): Promise<Map<string, Names>> {
  if (groups.length === 0) return new Map()
  // Without words, which take a search: the start and the group say which trace it is.
  const { sql, parameters } = traceConditions(workspaceId, filters)
  const isLatest = `(start_us, assumeNotNull(${groupBy})) IN (
    SELECT arrayJoin(arrayMap((start, id) -> (toInt64(start), id), {starts:Array(String)}, {groups:Array(String)})))`
  const rows = await clients.search<
    Record<'id' | 'user' | 'user_label' | 'org' | 'org_label', string | null>
  >(
    `SELECT assumeNotNull(${groupBy}) AS id,
       argMax(tuple(user_id, user_name, organization_id, organization_name), start_us) AS newest,
       newest.1 AS user, newest.2 AS user_label, newest.3 AS org, newest.4 AS org_label
     FROM traces WHERE ${sql.join(' AND ')} AND ${startsAmong} AND ${isLatest}
     GROUP BY ${groupBy}`,
    { ...parameters, groups: groups.map(({ id }) => id), starts: groups.map(({ lastUs }) => String(lastUs)) },
  )
  return new Map(
    rows.map(({ id, user, user_label, org, org_label }) => [
      String(id),
      { userId: user, userName: user_label, organizationId: org, organizationName: org_label },
    ]),
  )
}

const noNames: Names = { userId: null, userName: null, organizationId: null, organizationName: null }

/** A condition that the primary key serves. There is no parameter with a list of numbers of 64 bits. */
export const startsAmong =
  'start_us IN (SELECT arrayJoin(arrayMap(start -> toInt64(start), {starts:Array(String)})))'

const toSums = (row: Record<string, unknown>): Sums => ({
  id: String(row.id),
  traces: Number(row.traces),
  failed: Number(row.failed),
  firstUs: BigInt(String(row.first)),
  lastUs: BigInt(String(row.last)),
  endUs: BigInt(String(row.end)),
  cost: row.cost_sum === null ? null : Number(row.cost_sum),
  tokens: Number(row.token_sum),
  ...(row.sessions !== undefined && { sessions: Number(row.sessions) }),
  ...(row.users !== undefined && { users: Number(row.users) }),
})

/** Counts and means of the scores of groups, by name. Only the traces of the groups are read, by the filter's range. */
export async function scoresOfGroups(
  clients: Clients,
  workspaceId: string,
  groupBy: GroupBy,
  filters: TraceFilters,
  ids: readonly string[],
): Promise<Map<string, { name: string; count: number; mean: number | null }[]>> {
  if (ids.length === 0 || !(await hasScores(clients, workspaceId))) return new Map()
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

/** Most workspaces have scores or none at all; where there is none, no trace has to be read. */
async function hasScores(clients: Clients, workspaceId: string): Promise<boolean> {
  const rows = await clients.read(`SELECT 1 FROM scores WHERE workspace_id = {workspace:String} LIMIT 1`, {
    workspace: workspaceId,
  })
  return rows.length > 0
}
