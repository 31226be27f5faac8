import type { operations, TraceSummary } from '@plumbline/contract'
import type { Position, SortedPosition, TraceSummary as SummaryRow } from '@plumbline/storage/traces'
import { writeTimestamp } from '../../json/timestamp.ts'
import { readCursor, writeCursor } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { readFilters } from '../../traces/filters.ts'
import { toTraceSummary } from '../../traces/view.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** This many are searched in about a second. */
const tracesToSearch = 200_000

export const list: Verb<typeof operations.traces.list> = async (
  { limit = 50, cursor, sort = 'start', order = 'desc', ...filters },
  { workspace },
) => {
  const traceFilters = readFilters(filters)
  // In primary key order, the store stops reading when the page is full.
  if (sort === 'start' && order === 'desc') {
    const page = await workspace.traces.list(traceFilters, {
      limit,
      before: readPosition(cursor),
      tracesToSearch,
    })
    const { next, searchedFromUs } = page
    return {
      traces: await withErrors(page.traces, workspace),
      ...(next !== undefined && { nextCursor: writePosition(next) }),
      ...(searchedFromUs !== undefined && { searchedBackTo: writeTimestamp(searchedFromUs) }),
    }
  }
  // Each order has its own cursors, so that a cursor of one is rejected by the others.
  const name = `traces by ${sort} ${order}`
  const before = readSortedPosition(name, cursor)
  const page = await workspace.traces.listSorted(traceFilters, {
    limit,
    sort,
    isAscending: order === 'asc',
    before,
  })
  return {
    traces: await withErrors(page.traces, workspace),
    ...(page.next === undefined ? {} : { nextCursor: writeSortedPosition(name, page.next) }),
  }
}

/** The rows of a page, with the error of each failed trace. */
async function withErrors(
  rows: readonly SummaryRow[],
  { traces }: Pick<Workspace, 'traces'>,
): Promise<TraceSummary[]> {
  const errors = await traces.firstErrors(rows.filter((row) => row.errors > 0))
  return rows.map((row) => toTraceSummary(row, errors.get(row.traceId)))
}

const writePosition = ({ startUs, traceId }: Position): string => writeCursor('traces', [startUs, traceId])

function readPosition(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const [startUs, traceId] = readCursor('traces', cursor, ['bigint', 'uuid'])
  return { startUs, traceId }
}

export const writeSortedPosition = (name: string, { key, startUs, traceId }: SortedPosition): string =>
  writeCursor(name, [key, startUs, traceId])

export function readSortedPosition(name: string, cursor: string | undefined): SortedPosition | undefined {
  if (cursor === undefined) return undefined
  const [key, startUs, traceId] = readCursor(name, cursor, ['bigint or null', 'bigint', 'uuid'])
  return { key, startUs, traceId }
}
