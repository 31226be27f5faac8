/** The runs of applications: filtered, over time, with one of them open beside the list. */
import type { TraceSummary } from '@plumbline/sdk'
import { PanelLeft } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { usePages, useRead } from '../app/api.ts'
import { Screen } from '../app/screen.tsx'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { useRemembered } from '../ui/remembered.ts'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { ColumnChooser } from '../ui/table/column-chooser.tsx'
import { FilterBar } from './filter/filter-bar.tsx'
import { slowTraces } from './list/duration-rank.ts'
import { ExportMenu } from './list/export-menu.tsx'
import { LiveSwitch, NewPill } from './list/live-controls.tsx'
import { NoTraces } from './list/no-traces.tsx'
import { scoreNamesOf } from './list/score-texts.ts'
import { traceColumns } from './list/trace-columns.tsx'
import { TraceHistogram } from './list/trace-histogram.tsx'
import { useDefaultView } from './list/use-default-view.ts'
import { useListScores } from './list/use-list-scores.ts'
import { useNewTraces } from './list/use-new-traces.ts'
import { type TraceQuery, useTraceQuery } from './list/use-trace-query.ts'
import { ViewMenu } from './list/view-menu.tsx'
import { tracesRoute } from './routes.ts'

// The table loads while the service reads its rows.
const DataTable = lazy(async () => ({
  default: (await import('../ui/table/data-table.tsx')).DataTable<TraceSummary>,
}))
// What stands beside the list comes after it.
const FacetSide = lazy(async () => ({ default: (await import('./list/facet-side.tsx')).FacetSide }))
const SelectionBar = lazy(async () => ({ default: (await import('./list/selection-bar.tsx')).SelectionBar }))
const TracePanel = lazy(async () => ({ default: (await import('./list/trace-panel.tsx')).TracePanel }))

const pageMax = 100
const rowId = ({ id }: TraceSummary): string => id
const nothing: ReadonlySet<string> = new Set()

export function TracesScreen() {
  const search = tracesRoute.useSearch()
  const navigate = tracesRoute.useNavigate()
  const query = useTraceQuery()
  const [side, setSide] = useRemembered('traces.facets', 'open')
  const [selection, setSelected] = useState(nothing)
  const change = (patch: Partial<typeof search>): void =>
    void navigate({ search: (before) => ({ ...before, ...patch }), resetScroll: false })
  const filterBy = (text: string): void => {
    setSelected(nothing)
    change({ q: text === '' ? undefined : text })
  }
  const toggleSide = (): void => setSide(side === 'open' ? 'closed' : 'open')
  useDefaultView(search, (viewState) => void navigate({ search: viewState, replace: true }))
  useShortcuts([{ keys: 'f', label: 'Show or hide filters', onPress: toggleSide }])
  const columns = useTraceColumns(query, search.columns)

  return (
    <Screen
      title="Traces"
      hasRange
      actions={
        <>
          <LiveSwitch
            isLive={search.live === true}
            disabled={!query.isOpenEnded}
            onChange={(isLive) => change({ live: isLive ? true : undefined })}
          />
          <ViewMenu
            search={search}
            onOpen={(viewState) => {
              setSelected(nothing)
              void navigate({ search: { range: undefined, ...viewState } })
            }}
          />
          <ColumnChooser
            columns={columns}
            columnIds={search.columns}
            onChange={(columnIds) => change({ columns: columnIds })}
          />
          <ExportMenu label="Export" input={{ ...query.filter, ...query.scope }} />
        </>
      }
    >
      <div className="flex min-h-0 flex-1">
        {side === 'open' && (
          <aside
            aria-label="Filters"
            className={classNames(
              'w-56 shrink-0 overflow-y-auto border-r border-line max-xl:hidden',
              // A list of a few words' width beside the trace helps nobody.
              search.open !== undefined && 'max-[1680px]:hidden',
            )}
          >
            <Suspense>
              <FacetSide query={query} onFilter={filterBy} />
            </Suspense>
          </aside>
        )}
        <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
          <div className="flex shrink-0 items-start gap-2 border-b border-line px-4 py-2">
            <span className="max-xl:hidden">
              <IconButton
                label={side === 'open' ? 'Hide filters' : 'Show filters'}
                keys="f"
                aria-pressed={side === 'open'}
                onClick={toggleSide}
              >
                <PanelLeft aria-hidden size={16} />
              </IconButton>
            </span>
            <div className="min-w-0 flex-1">
              <FilterBar text={query.text} onChange={filterBy} scope={query.scope} />
            </div>
          </div>
          <TraceHistogram query={query} />
          <Suspense>
            {selection.size > 0 && <SelectionBar ids={selection} onClear={() => setSelected(nothing)} />}
          </Suspense>
          <TraceTable query={query} selection={selection} onSelect={setSelected} onFilter={filterBy} />
        </div>
        <Suspense>
          {search.open !== undefined && (
            <TracePanel
              traceId={search.open}
              logId={search.log}
              onLog={(log) => change({ log })}
              onClose={() => change({ open: undefined, log: undefined })}
            />
          )}
        </Suspense>
      </div>
    </Screen>
  )
}

interface TraceTableProps {
  readonly query: TraceQuery
  readonly selection: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
  readonly onFilter: (text: string) => void
}

function TraceTable({ query, selection, onSelect, onFilter }: TraceTableProps) {
  const search = tracesRoute.useSearch()
  const navigate = tracesRoute.useNavigate()
  const list = usePages(
    'traces.list',
    { ...query.filter, ...query.scope, ...query.order, limit: pageMax },
    'traces',
    { isHeld: true },
  )
  const place = useRef<HTMLDivElement>(null)
  const scroller = (): Element | null | undefined => place.current?.querySelector('[role=grid]')
  const isReady = list.data !== undefined && !list.isPlaceholderData
  const isLive = search.live === true && query.isOpenEnded
  const newTraces = useNewTraces(query, list.items, { isLive, isReady })
  const showNew = (): void => {
    query.askAnew()
    scroller()?.scrollTo({ top: 0 })
  }
  const latest = useRef(showNew)
  latest.current = showNew
  useEffect(() => {
    // Who reads further down, or chooses rows, is not disturbed: the pill tells.
    const isAtTop = (place.current?.querySelector('[role=grid]')?.scrollTop ?? 0) < 8
    const isUndisturbed = list.items.length === 0 || (isLive && isAtTop && selection.size === 0)
    if (isReady && newTraces.count > 0 && isUndisturbed) latest.current()
  }, [isLive, isReady, newTraces.count, selection.size, list.items.length])
  const columns = useTraceColumns(query, search.columns, list.items)
  if (list.isError && list.items.length === 0)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <div
      ref={place}
      aria-busy={list.isPlaceholderData}
      className={`relative flex min-h-0 flex-1 flex-col transition-opacity ${list.isPlaceholderData ? 'opacity-60' : ''}`}
    >
      <NewPill newTraces={newTraces} onShow={showNew} />
      <Suspense fallback={<SkeletonRows />}>
        <DataTable
          label="Traces"
          columns={columns}
          columnIds={search.columns}
          rows={list.data === undefined ? undefined : list.items}
          rowId={rowId}
          sort={search.sort ?? '-start'}
          isSortedByService
          onSort={(sort) =>
            void navigate({
              search: (before) => ({ ...before, sort: sort === '-start' ? undefined : sort }),
            })
          }
          openId={search.open}
          onOpen={({ id }) =>
            void navigate({
              search: (before) => ({ ...before, open: id, log: undefined }),
              // Going through rows is one step back, not one for each row.
              replace: search.open !== undefined,
              resetScroll: false,
            })
          }
          onEnter={({ id }) => void navigate({ to: '/traces/$id', params: { id } })}
          selection={{ ids: selection, onChange: onSelect }}
          onEnd={list.loadMore}
          empty={
            <NoTraces
              isFiltered={query.text !== ''}
              onClear={() => onFilter('')}
              onWiden={() => query.setRange('90d')}
            />
          }
        />
      </Suspense>
    </div>
  )
}

const noItems: readonly TraceSummary[] = []

/** The columns there are: the fixed ones, and one for each key of metadata and name of a score. */
function useTraceColumns(
  { scope }: TraceQuery,
  columnIds: readonly string[] | undefined,
  items: readonly TraceSummary[] = noItems,
) {
  const facets = useRead('traces.facets', { ...scope, fields: 'metadata,score', limit: 50 }).data?.facets
  const durations = useRead('metrics.query', {
    measures: 'traces,p95DurationMs,p99DurationMs',
    dimensions: 'feature',
    ...scope,
  }).data?.rows
  const names = useMemo(() => {
    const extraNames = (facets ?? []).flatMap(({ field, values }) =>
      values.map(({ value }) => `${field}.${value}`),
    )
    const extraColumns = (columnIds ?? []).filter((id) => /^(metadata|score)\../.test(id))
    return [...new Set([...extraNames, ...extraColumns])]
  }, [facets, columnIds])
  const scoresOf = useListScores(
    items,
    useMemo(() => scoreNamesOf(columnIds), [columnIds]),
  )
  const slowOf = useMemo(() => slowTraces(durations ?? []), [durations])
  return useMemo(() => traceColumns({ scoresOf, slowOf }, names), [scoresOf, slowOf, names])
}
