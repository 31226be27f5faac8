/** The rows of the trace list, page by page, with new ones on request. */
import type { TraceSummary } from '@plumbline/sdk'
import { useEffect, useMemo, useRef } from 'react'
import { ErrorState } from '../../../ui/error-state.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { ExactTime } from '../../../ui/text/values.tsx'
import { useWidth } from '../../../ui/use-width.ts'
import { tracesRoute } from '../../routes.ts'
import { NewPill } from '../live-controls.tsx'
import { NoTraces } from '../no-traces.tsx'
import { useNewTraces } from '../use-new-traces.ts'
import { tracePageMax, useTraceList } from '../use-trace-list.ts'
import type { TraceQuery } from '../use-trace-query.ts'
import { narrowColumns } from './trace-columns.tsx'
import { useSearchFurther } from './use-search-further.ts'
import { useTraceColumns } from './use-trace-columns.ts'

/** Below this width the cost would be out of sight, so the rows show a digest instead of most columns. */
const wideMinPx = 780
const rowId = ({ id }: TraceSummary): string => id

interface TraceTableProps {
  readonly query: TraceQuery
  readonly selection: ReadonlySet<string>
  /** Whether all that match are selected, loaded or not. */
  readonly isAllSelected: boolean
  readonly onSelect: (ids: ReadonlySet<string>) => void
  readonly onFilter: (text: string) => void
}

export function TraceTable({ query, selection, isAllSelected, onSelect, onFilter }: TraceTableProps) {
  const search = tracesRoute.useSearch()
  const navigate = tracesRoute.useNavigate()
  const list = useTraceList(query)
  const selectedIds = useMemo(
    () => (isAllSelected ? new Set(list.items.map(rowId)) : selection),
    [isAllSelected, list.items, selection],
  )
  const { searchedBackTo, more } = useSearchFurther(list, {
    pageMax: tracePageMax,
    text: JSON.stringify(query.filter),
  })
  const place = useRef<HTMLDivElement>(null)
  const scroller = (): Element | null | undefined => place.current?.querySelector('[role=grid]')
  const isReady = list.data !== undefined && !list.isPlaceholderData
  const isLive = search.live === true && query.isOpenEnded
  const newTraces = useNewTraces(query, list.items, {
    isLive,
    isReady,
    hasAll: query.isNewestFirst && !list.hasNextPage,
  })
  const showNew = (): void => {
    query.askAnew()
    scroller()?.scrollTo({ top: 0 })
  }
  const latest = useRef(showNew)
  latest.current = showNew
  useEffect(() => {
    // While the user has scrolled down or selected rows, only the pill announces new traces.
    const isAtTop = (place.current?.querySelector('[role=grid]')?.scrollTop ?? 0) < 8
    const isUndisturbed = list.items.length === 0 || (isLive && isAtTop && selection.size === 0)
    if (isReady && newTraces.count > 0 && isUndisturbed) latest.current()
  }, [isLive, isReady, newTraces.count, selection.size, list.items.length])
  const isNarrow = useWidth(place) < wideMinPx
  const columns = useTraceColumns(query, { columnIds: search.columns, items: list.items, isNarrow })
  if (list.isError && list.items.length === 0)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <div
      ref={place}
      aria-busy={list.isPlaceholderData}
      className={`relative flex min-h-0 flex-1 flex-col transition-opacity ${list.isPlaceholderData ? 'opacity-60' : ''}`}
    >
      <NewPill newTraces={newTraces} onShow={showNew} />
      <DataTable
        label="Traces"
        columns={columns}
        columnIds={isNarrow ? narrowColumns : search.columns}
        hasTwoLines
        rows={list.data === undefined ? undefined : list.items}
        rowId={rowId}
        sort={search.sort ?? '-start'}
        isSortedByService
        onSort={(sort) =>
          void navigate({
            search: (previous) => ({ ...previous, sort: sort === '-start' ? undefined : sort }),
          })
        }
        openId={search.open}
        onOpen={({ id }) =>
          void navigate({
            search: (previous) => ({ ...previous, open: id, log: undefined }),
            // Stepping through rows adds a single history entry, not one per row.
            replace: search.open !== undefined,
            resetScroll: false,
          })
        }
        onEnter={({ id }) => void navigate({ to: '/traces/$id', params: { id } })}
        selection={{ ids: selectedIds, onChange: onSelect }}
        more={more}
        empty={
          searchedBackTo === undefined && (
            <NoTraces
              isFiltered={query.text !== ''}
              onClear={() => onFilter('')}
              onWiden={() => query.setRange('90d')}
            />
          )
        }
      />
      {searchedBackTo !== undefined && <SearchStatus searchedBackTo={searchedBackTo} />}
    </div>
  )
}

const SearchStatus = ({ searchedBackTo }: { readonly searchedBackTo: string }) => (
  <p role="status" className="border-t border-line px-3 py-2 text-sm text-ink-2">
    Searched back to <ExactTime time={searchedBackTo} />. Searching earlier traces…
  </p>
)
