/** The query of the list: the filter, range and order in the URL. */
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { refresh } from '../../app/api.ts'
import { readRange } from '../../app/range/range.ts'
import { useRange } from '../../app/range/use-range.ts'
import { readSort } from '../../ui/table/columns.ts'
import { filterInput } from '../filter/filter-input.ts'
import { isClause, readFilter, readParts } from '../filter/filter-text.ts'
import { tracesRoute } from '../routes.ts'
import { sortNames } from './rows/trace-columns.tsx'

const readOfRange = ['traces.list', 'traces.histogram', 'traces.facets'] as const

export type TraceQuery = ReturnType<typeof useTraceQuery>

/**
 * A range that ends now is frozen at its selection until `askAnew`, so that rows stay in place while new traces
 * arrive.
 */
export function useTraceQuery() {
  const { q = '', sort } = tracesRoute.useSearch()
  const { range, setRange } = useRange()
  const queries = useQueryClient()
  const [askedAt, setAskedAt] = useState(() => new Date())
  const filter = useMemo(() => filterInput(readFilter(q)), [q])
  const pinned = useMemo(() => {
    const { from, to } = readRange(range.text, askedAt)
    // The selected range is rounded to the minute; the range of each query ends at the time of the query.
    const sinceMinuteMs = askedAt.getTime() % 60_000
    return to === undefined
      ? { from: new Date(from.getTime() + sinceMinuteMs), to: undefined, end: askedAt }
      : { from, to, end: to }
  }, [range.text, askedAt])
  const scope = useMemo(
    () => ({ from: pinned.from.toISOString(), ...(pinned.to && { to: pinned.to.toISOString() }) }),
    [pinned],
  )
  const order = useMemo(() => orderOf(sort), [sort])
  const isEndAhead = pinned.to !== undefined && pinned.to > askedAt
  return {
    text: q,
    filter,
    /** Whether every part of the filter is valid: the list ignores invalid parts. */
    isWhole: useMemo(() => readParts(q).every(({ result }) => isClause(result)), [q]),
    scope,
    order,
    end: pinned.end,
    /** Today has not ended either. */
    isOpenEnded: pinned.to === undefined || isEndAhead,
    isNewestFirst: order.sort === 'start' && order.order === 'desc',
    range,
    setRange,
    askAnew: () => {
      setAskedAt(new Date())
      // The query is the same, but its result may differ.
      if (isEndAhead) void refresh(queries, readOfRange)
    },
  }
}

/** The service's name for an order; newest first if the order is unknown. */
function orderOf(sort: string | undefined) {
  const currentSort = readSort(sort)
  const name = currentSort && sortNames[currentSort.column]
  return {
    sort: name ?? ('start' as const),
    order: name === undefined || currentSort?.isDescending ? ('desc' as const) : ('asc' as const),
  }
}
