/** Pages of traces grouped by session, user or organization, which the lists of these share. */
import type { GroupSort, InputOf, operations } from '@plumbline/contract'
import type { GroupPosition, TraceFilters, TraceGroup } from '@plumbline/storage/traces'
import { writeTimestamp } from '../json/timestamp.ts'
import { readCursor, writeCursor } from '../requests/cursor.ts'
import { readFilters } from '../traces/filters.ts'
import type { Workspace } from '../workspace/workspace.ts'

export type GroupBy = 'session_id' | 'user_id' | 'organization_id'
type GroupQuery = Omit<InputOf<typeof operations.users.list>, 'sort'> & {
  readonly sort?: GroupSort | undefined
}
type GroupScores = { name: string; count: number; mean: number | null }[]

interface GroupPage {
  readonly groups: readonly TraceGroup[]
  /** When the first and the last trace of each group started; undefined if filters leave traces out. */
  readonly starts: readonly bigint[] | undefined
  readonly scoresOf: (id: string) => GroupScores
  readonly next: { readonly nextCursor?: string }
}

/** A page of groups with their scores, and the cursor of the next one. */
export async function listGroups(
  groupBy: GroupBy,
  { limit = 50, cursor, sort = 'last', order = 'desc', ...query }: GroupQuery,
  { traces }: Pick<Workspace, 'traces'>,
): Promise<GroupPage> {
  const filters = readFilters(query)
  // Each list and order has its own cursors, so that a cursor of one is rejected by another.
  const name = `groups by ${groupBy} ${sort} ${order}`
  const page = await traces.groups(groupBy, filters, {
    limit,
    sort,
    isAscending: order === 'asc',
    before: readPosition(name, cursor),
  })
  const scores = await traces.scoresOfGroups(
    groupBy,
    filters,
    page.groups.map(({ id }) => id),
  )
  return {
    groups: page.groups,
    starts: hasFilters(filters) ? undefined : startsOf(page.groups),
    scoresOf: (id) => scores.get(id) ?? [],
    next:
      page.next === undefined
        ? {}
        : { nextCursor: writeCursor(name, [page.next.sortKey, page.next.groupKey]) },
  }
}

const hasFilters = ({ where = [], ...others }: TraceFilters): boolean =>
  where.length > 0 || Object.values(others).some((value) => value !== undefined)

/** When the first and the last trace of each group started. */
export const startsOf = (groups: readonly TraceGroup[]): bigint[] =>
  groups.flatMap(({ firstUs, lastUs }) => [firstUs, lastUs])

function readPosition(name: string, cursor: string | undefined): GroupPosition | undefined {
  if (cursor === undefined) return undefined
  const [sortKey, groupKey] = readCursor(name, cursor, ['bigint', 'hash'])
  return { sortKey, groupKey }
}

/** The fields that every group has. */
export const groupFields = (group: TraceGroup, scores: GroupScores) => ({
  traces: group.traces,
  failed: group.failed,
  firstTime: writeTimestamp(group.firstUs),
  lastTime: writeTimestamp(group.lastUs),
  durationMs: Number(group.endUs - group.firstUs) / 1000,
  cost: group.cost,
  tokens: group.tokens,
  tokensEstimated: group.tokensEstimated,
  scores,
})

export const userOf = ({ userId, userName }: TraceGroup) =>
  userId === null ? null : { id: userId, name: userName ?? '' }

export const organizationOf = ({ organizationId, organizationName }: TraceGroup) =>
  organizationId === null ? null : { id: organizationId, name: organizationName ?? '' }
