/** Statistics of the traces of each session, user or organization. */
import type { GroupSort } from '@plumbline/contract'
import type { Clients } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'
import { traceConditions } from '../filters/filters.ts'
import type { Conditions } from '../filters/where.ts'
import type { GroupPosition, TraceFilters, TraceGroup } from '../types.ts'
import { conditionsWithWords, hasWords } from './list.ts'

export type GroupBy = 'session_id' | 'user_id' | 'organization_id'

const distinct = {
  sessions: 'uniqExactIf(session_key, session_key != 0)',
  users: 'uniqExactIf(user_key, user_key != 0)',
} as const

/** Each sort key as an integer, so that a cursor is exact. */
const sortKeys: Readonly<Record<GroupSort, string>> = {
  last: 'max(start_us)',
  first: 'min(start_us)',
  traces: 'toInt64(count())',
  duration: 'max(ifNull(end_us, start_us)) - min(start_us)',
  // `least` would ignore a null.
  cost: 'ifNull(toInt64(round(if(sum(cost) > 1e9, 1e9, sum(cost)) * 1e9)), toInt64(-1))',
  tokens: 'toInt64(round(least(sum(total_tokens), 1e18)))',
  errors: 'toInt64(countIf(errors > 0))',
  sessions: `toInt64(${distinct.sessions})`,
}

interface GroupPage {
  readonly limit: number
  readonly sort: GroupSort
  readonly isAscending: boolean
  readonly before?: GroupPosition | undefined
}

/**
 * The column that identifies the group of a trace, by the hash of the id: a number takes less than half the time to
 * read and to group by. With ten million ids in a workspace, two have the same hash in one of 370,000 workspaces.
 */
const keyColumns: Readonly<Record<GroupBy, string>> = {
  session_id: 'session_key',
  user_id: 'user_key',
  organization_id: 'organization_key',
}

/**
 * A condition on the traces of groups. The parameter holds their keys as texts, because parameters cannot be lists of
 * 64-bit numbers.
 */
const isAmong = (groupBy: GroupBy, parameter: string): string =>
  `${keyColumns[groupBy]} IN CAST({${parameter}:Array(String)}, 'Array(UInt64)')`

/**
 * A page of groups of the matching traces. First finds the groups on the page, from few columns; then sums the traces
 * of these groups only, since summing every group took most of the time.
 */
export async function groupTraces(
  clients: Clients,
  workspaceId: string,
  groupBy: GroupBy,
  filters: TraceFilters,
  page: GroupPage,
): Promise<{ groups: TraceGroup[]; next?: GroupPosition }> {
  const conditions = conditionsWithWords(workspaceId, filters)
  const ofGroups = [...conditions.sql, `${keyColumns[groupBy]} NOT IN (0, sipHash64(''))`]
  const dayBeforeUs = latestStartOf(filters, page) - dayUs
  const find = (statement: string) =>
    clients.search<{ group_key: string; k: string }>(statement, {
      ...conditions.parameters,
      limit: page.limit + 1,
      dayBefore: dayBeforeUs,
      ...(page.before === undefined
        ? {}
        : { beforeSort: page.before.sortKey, beforeGroup: page.before.groupKey }),
    })
  const isInOrder = isInOrderOfStart(page) && !hasWords(filters)
  // Most pages of the latest groups are within a day, so that parts of earlier months need not be opened.
  const latest =
    isInOrder && !page.isAscending && (filters.fromUs === undefined || filters.fromUs < dayBeforeUs)
      ? await find(groupsInOrder(groupBy, [...ofGroups, 'start_us >= {dayBefore:Int64}'], page))
      : []
  const statement = isInOrder ? groupsInOrder : groupsByKey
  const rows = latest.length > page.limit ? latest : await find(statement(groupBy, ofGroups, page))
  const keys = rows.slice(0, page.limit).map(({ group_key }) => group_key)
  const sums = await sumGroups(clients, groupBy, conditions, keys)
  const names = await namesOfGroups(clients, workspaceId, groupBy, filters, sums)
  // A group whose traces were deleted meanwhile is left out.
  const groups = sums.flatMap(({ groupKey, ...group }): TraceGroup[] => {
    const ofGroup = names.get(groupKey)
    return ofGroup === undefined ? [] : [{ ...group, ...ofGroup }]
  })
  const last = rows[page.limit - 1]
  return rows.length > page.limit && last !== undefined
    ? { groups, next: { sortKey: BigInt(last.k), groupKey: BigInt(last.group_key) } }
    : { groups }
}

/** Whether the first trace of a group, in primary key order or its reverse, has the sort key of the group. */
const isInOrderOfStart = ({ sort, isAscending }: GroupPage): boolean =>
  isAscending ? sort === 'first' : sort === 'last'

const dayUs = 86_400_000_000n

/** Where a page of the latest groups begins: at the page's position, at the end of the range, or now. */
function latestStartOf({ toUs }: TraceFilters, { before }: GroupPage): bigint {
  if (before !== undefined) return before.sortKey
  const nowUs = BigInt(Date.now()) * 1000n
  return toUs === undefined || toUs > nowUs ? nowUs : toUs
}

/**
 * Reads traces in the order of the primary key until the page is full. Later pages leave out the groups of earlier ones
 * by reading the traces before their position once more: the cost of a page depends on how deep it is, not on how many
 * traces follow. Without buffers the engine reads no further than necessary.
 */
function groupsInOrder(
  groupBy: GroupBy,
  conditions: readonly string[],
  { isAscending, before }: GroupPage,
): string {
  const [direction, follows, precedes] = isAscending ? ['ASC', '>', '<='] : ['DESC', '<', '>=']
  const key = keyColumns[groupBy]
  const where = conditions.join(' AND ')
  // The comparison of the start alone lets the engine use the primary key.
  const isOnSide = (side: string): string =>
    `start_us ${side[0]}= {beforeSort:Int64} AND (start_us, ${key}) ${side} ({beforeSort:Int64}, {beforeGroup:UInt64})`
  const rest =
    before === undefined
      ? ''
      : `AND ${isOnSide(follows)} AND ${key} NOT IN (SELECT ${key} FROM traces WHERE ${where} AND ${isOnSide(precedes)})`
  return `SELECT toString(${key}) AS group_key, toString(start_us) AS k FROM traces WHERE ${where} ${rest}
    ORDER BY start_us ${direction}, ${key} ${direction} LIMIT 1 BY ${key} LIMIT {limit:UInt32}
    SETTINGS read_in_order_use_buffering = 0`
}

/**
 * Compares every group, reading the columns of its sort key. Also used for searches, which find all of their traces
 * before the first is read.
 */
function groupsByKey(
  groupBy: GroupBy,
  conditions: readonly string[],
  { sort, isAscending, before }: GroupPage,
): string {
  const direction = isAscending ? 'ASC' : 'DESC'
  const key = keyColumns[groupBy]
  return `SELECT toString(${key}) AS group_key, toString(${sortKeys[sort]} AS sort_key) AS k
    FROM traces WHERE ${conditions.join(' AND ')} GROUP BY ${key}
    ${before === undefined ? '' : `HAVING (sort_key, ${key}) ${isAscending ? '>' : '<'} ({beforeSort:Int64}, {beforeGroup:UInt64})`}
    ORDER BY sort_key ${direction}, ${key} ${direction} LIMIT {limit:UInt32}`
}

type Names = Pick<TraceGroup, 'id' | 'userId' | 'userName' | 'organizationId' | 'organizationName'>
type Sums = Omit<TraceGroup, keyof Names> & { readonly groupKey: string }

/** What is counted in groups besides traces: only the counts that their lists show, since each needs another column. */
const countedIn: Readonly<Record<GroupBy, readonly ('sessions' | 'users')[]>> = {
  session_id: [],
  user_id: ['sessions'],
  organization_id: ['sessions', 'users'],
}

/**
 * The sums of the matching traces of some groups, in the order of the keys. Reads the numbers of all of these traces.
 * The condition on the groups is evaluated first, since by default the engine would compare the workspace of every
 * trace before it.
 */
async function sumGroups(
  clients: Clients,
  groupBy: GroupBy,
  { sql, parameters }: Conditions,
  keys: readonly string[],
): Promise<Sums[]> {
  if (keys.length === 0) return []
  const counts = countedIn[groupBy].map((name) => `, toString(${distinct[name]}) AS ${name}`)
  const rows = await clients.search<Record<string, unknown>>(
    `SELECT toString(${keyColumns[groupBy]}) AS group_key, toString(count()) AS traces, toString(countIf(errors > 0)) AS failed,
       toString(min(start_us)) AS first, toString(max(start_us)) AS last, toString(max(ifNull(end_us, start_us))) AS end,
       sum(cost) AS cost_sum, sum(total_tokens) AS token_sum, toString(countIf(tokens_estimated)) AS estimated ${counts.join('')}
     FROM traces PREWHERE ${isAmong(groupBy, 'groups')} WHERE ${sql.join(' AND ')}
     GROUP BY ${keyColumns[groupBy]}`,
    { ...parameters, groups: keys },
  )
  const byKey = new Map(rows.map(toSums).map((sums) => [sums.groupKey, sums]))
  // A group whose traces were deleted meanwhile is left out.
  return keys.flatMap((key) => byKey.get(key) ?? [])
}

/** The ids of groups, and the user and organization of each group's latest trace. */
async function namesOfGroups(
  clients: Clients,
  workspaceId: string,
  groupBy: GroupBy,
  filters: TraceFilters,
  groups: readonly Sums[],
): Promise<Map<string, Names>> {
  // Without the search words: the start and the group identify the trace.
  const { sql, parameters } = traceConditions(workspaceId, filters)
  const read = async (some: readonly Sums[], condition: string): Promise<[string, Names][]> => {
    if (some.length === 0) return []
    const rows = await clients.search<Record<'group_key' | 'id', string> & Record<NameColumn, string | null>>(
      `SELECT toString(${keyColumns[groupBy]}) AS group_key, assumeNotNull(any(${groupBy})) AS id,
         argMax(tuple(user_id, user_name, organization_id, organization_name), start_us) AS newest,
         newest.1 AS user, newest.2 AS user_label, newest.3 AS org, newest.4 AS org_label
       FROM traces WHERE ${sql.join(' AND ')} AND ${condition}
       GROUP BY ${keyColumns[groupBy]}`,
      {
        ...parameters,
        groups: some.map(({ groupKey }) => groupKey),
        starts: some.map(({ lastUs }) => String(lastUs)),
      },
    )
    return rows.map(({ group_key, id, user, user_label, org, org_label }) => [
      group_key,
      { id, userId: user, userName: user_label, organizationId: org, organizationName: org_label },
    ])
  }
  const isLatest = `(start_us, ${keyColumns[groupBy]}) IN (
    SELECT arrayJoin(arrayMap((start, key) -> (toInt64(start), toUInt64(key)), {starts:Array(String)}, {groups:Array(String)})))`
  const names = new Map(await read(groups, `${startsAmong} AND ${isLatest}`))
  // The latest trace may have another start by now.
  const rest = groups.filter(({ groupKey }) => !names.has(groupKey))
  for (const [key, ofGroup] of await read(rest, isAmong(groupBy, 'groups'))) names.set(key, ofGroup)
  return names
}

type NameColumn = 'user' | 'user_label' | 'org' | 'org_label'

/** A condition served by the primary key. The starts are texts, because parameters cannot be lists of 64-bit numbers. */
export const startsAmong =
  'start_us IN (SELECT arrayJoin(arrayMap(start -> toInt64(start), {starts:Array(String)})))'

const toSums = (row: Record<string, unknown>): Sums => ({
  groupKey: String(row.group_key),
  traces: Number(row.traces),
  failed: Number(row.failed),
  firstUs: BigInt(String(row.first)),
  lastUs: BigInt(String(row.last)),
  endUs: BigInt(String(row.end)),
  cost: row.cost_sum === null ? null : Number(row.cost_sum),
  tokens: Number(row.token_sum),
  tokensEstimated: Number(row.estimated) > 0,
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
  const ofGroups = `${keyColumns[groupBy]} IN (SELECT sipHash64(arrayJoin({groups:Array(String)})))`
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

/** If a workspace has no scores at all, no traces have to be read. */
async function hasScores(clients: Clients, workspaceId: string): Promise<boolean> {
  const rows = await clients.read(`SELECT 1 FROM scores WHERE workspace_id = {workspace:String} LIMIT 1`, {
    workspace: workspaceId,
  })
  return rows.length > 0
}
