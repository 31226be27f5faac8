/** The traces of applications: filtered, over time, with one open beside the list. */
import { PanelLeft } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Screen } from '../app/screen.tsx'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { useRemembered } from '../ui/storage/remembered.ts'
import { ColumnChooser } from '../ui/table/column-chooser.tsx'
import { exactNumber } from '../ui/text/format.ts'
import { FilterBar } from './filter/filter-bar.tsx'
import { DeleteMatching } from './list/delete-matching.tsx'
import { ExportMenu } from './list/export-menu.tsx'
import { LiveSwitch } from './list/live-controls.tsx'
import { TraceTable } from './list/rows/trace-table.tsx'
import { useExtraColumns, useTraceColumns } from './list/rows/use-trace-columns.ts'
import { TraceHistogram } from './list/trace-histogram.tsx'
import { tracesOf, useHistogram } from './list/use-histogram.ts'
import { useTraceQuery } from './list/use-trace-query.ts'
import { useDefaultView } from './list/views/use-default-view.ts'
import { ViewMenu } from './list/views/view-menu.tsx'
import { tracesRoute } from './routes.ts'

// The panel beside the list follows it in the document.
const FacetSide = lazy(async () => ({ default: (await import('./list/facets/facet-side.tsx')).FacetSide }))
const SelectionBar = lazy(async () => ({ default: (await import('./list/selection-bar.tsx')).SelectionBar }))
const TracePanel = lazy(async () => ({ default: (await import('./list/trace-panel.tsx')).TracePanel }))

const nothing: ReadonlySet<string> = new Set()

export function TracesScreen() {
  const search = tracesRoute.useSearch()
  const navigate = tracesRoute.useNavigate()
  const query = useTraceQuery()
  const [side, setSide] = useRemembered('traces.facets', 'open')
  const [selection, setSelection] = useState(nothing)
  const [isAllSelected, setAllSelected] = useState(false)
  const setSelected = (ids: ReadonlySet<string>): void => {
    setSelection(ids)
    setAllSelected(false)
  }
  const change = (patch: Partial<typeof search>): void =>
    void navigate({ search: (previous) => ({ ...previous, ...patch }), resetScroll: false })
  const filterBy = (text: string): void => change({ q: text === '' ? undefined : text })
  // Clear the selection when the list changes, so that no action applies to rows that are no longer shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: A change of these values changes the list.
  useEffect(() => setSelected(nothing), [query.text, query.range.text])
  const toggleSide = (): void => setSide(side === 'open' ? 'closed' : 'open')
  useDefaultView(search, (viewState) => void navigate({ search: viewState, replace: true }))
  useShortcuts([{ keys: 'f', label: 'Show or hide filters', onPress: toggleSide }])
  const [hasOpenedColumns, setOpenedColumns] = useState(false)
  const extra = useExtraColumns(query, hasOpenedColumns)
  const columns = useTraceColumns(query, { columnIds: search.columns, extraNames: extra.names })
  const histogram = useHistogram(query)
  const count = histogram === undefined ? undefined : tracesOf(histogram)

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
            onOpen={(viewState) => void navigate({ search: { range: undefined, ...viewState } })}
          />
          <ColumnChooser
            label="Traces"
            columns={columns}
            columnIds={search.columns}
            isLoading={extra.isLoading}
            onOpen={() => setOpenedColumns(true)}
            onChange={(columnIds) => change({ columns: columnIds })}
          />
          <ExportMenu label={exportLabel(count)} count={count} input={{ ...query.filter, ...query.scope }} />
          <DeleteMatching query={query} onDeleted={() => setSelected(nothing)} />
        </>
      }
    >
      <div className="flex min-h-0 flex-1">
        {side === 'open' && (
          <aside
            aria-label="Filters"
            className={classNames(
              'w-56 shrink-0 overflow-y-auto border-r border-line max-xl:hidden',
              // A list only a few words wide beside the trace is useless.
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
          <TraceTable {...{ query, selection, isAllSelected }} onSelect={setSelected} onFilter={filterBy} />
          <Suspense>
            {selection.size > 0 && (
              <SelectionBar
                {...{ query, count, isAllSelected }}
                ids={selection}
                onSelectAll={() => setAllSelected(true)}
                onClear={() => setSelected(nothing)}
              />
            )}
          </Suspense>
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

const exportLabel = (count: number | undefined): string =>
  count === undefined ? 'Export' : `Export ${exactNumber(count)} ${count === 1 ? 'trace' : 'traces'}`
