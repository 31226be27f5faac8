/** Volume, cost, tokens, latency, errors and scores over time, and by group. */
import { useNavigate } from '@tanstack/react-router'
import { rangeBetween } from '../app/range/range.ts'
import { useRange } from '../app/range/use-range.ts'
import { Screen } from '../app/screen.tsx'
import { withClause } from '../traces/filter/change-filter.ts'
import { FilterBar } from '../traces/filter/filter-bar.tsx'
import { NoTraces } from '../traces/list/no-traces.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Select } from '../ui/form/select.tsx'
import { Breakdown } from './breakdown.tsx'
import { partWithin } from './buckets.ts'
import { Charts } from './charts.tsx'
import { useExplanation } from './explain/use-explanation.tsx'
import { Figures } from './figures.tsx'
import { clausesOf, type Grouping, groupings } from './groupings.ts'
import { DashboardMenu } from './own/dashboard-menu.tsx'
import { dashboardRoute } from './routes.ts'
import { useMetrics } from './use-metrics.ts'

const wholeName = 'whole'
const [firstGrouping] = groupings

export function DashboardScreen() {
  const { q = '', by: groupingName, sort } = dashboardRoute.useSearch()
  const navigate = dashboardRoute.useNavigate()
  const leave = useNavigate()
  const { range, setRange } = useRange()
  const grouping: Grouping = groupings.find(({ name }) => name === groupingName) ?? firstGrouping
  const metrics = useMetrics(q, range, grouping, groupingName !== undefined)
  const change = (patch: {
    q?: string | undefined
    by?: Grouping['name'] | undefined
    sort?: string | undefined
  }) => void navigate({ search: (previous) => ({ ...previous, ...patch }), resetScroll: false })
  const filterBy = (text: string): void => change({ q: text === '' ? undefined : text })
  /** Opens the traces behind a figure: an extended filter, in the range or a part of it. */
  const tracesLink = (more: string, part?: readonly [Date, Date]) => {
    const text = [q, more].filter((part) => part !== '').join(' ')
    return {
      ...(text !== '' && { q: text }),
      range: part === undefined ? range.text : rangeBetween(...part),
    }
  }
  const open = (more: string, part?: readonly [Date, Date]): void =>
    void leave({ to: '/traces', search: tracesLink(more, part) })
  const openBucket = (more: string) => (time: Date) => open(more, partWithin(time, metrics))
  const explanation = useExplanation(metrics, (start, end) => setRange([start, end]))
  const total = metrics.totals.data?.rows[0]
  const isEmpty = total?.traces === 0 && !metrics.totals.isPlaceholderData

  return (
    <Screen
      title="Dashboard"
      hasRange
      actions={
        <>
          <DashboardMenu />
          <Select
            label="Group by"
            className="w-48 max-md:w-36"
            value={groupingName ?? wholeName}
            onChange={(name) =>
              change({ by: groupings.find((grouping) => grouping.name === name)?.name, sort: undefined })
            }
            choices={[
              { value: wholeName, label: 'No grouping' },
              ...groupings.map(({ name, label }) => ({ value: name, label: `By ${label.toLowerCase()}` })),
            ]}
          />
        </>
      }
    >
      <div className="flex min-h-0 flex-1">
        <div className="min-w-0 flex-1 overflow-auto">
          <div className="border-b border-line px-4 py-2">
            <FilterBar text={q} onChange={filterBy} scope={metrics.scope} />
            {metrics.words !== undefined && (
              <p role="status" className="mt-2 text-xs text-warn">
                Charts cannot filter by text: {metrics.words} is ignored here. Search for it in the trace
                list.
              </p>
            )}
          </div>
          {metrics.totals.isError && total === undefined ? (
            <ErrorState error={metrics.totals.error} onRetry={() => void metrics.totals.refetch()} />
          ) : isEmpty ? (
            <NoTraces isFiltered={q !== ''} onClear={() => filterBy('')} onWiden={() => setRange('90d')} />
          ) : (
            <div className="flex flex-col gap-4 p-4">
              <Figures metrics={metrics} tracesLink={tracesLink} />
              <Charts
                metrics={metrics}
                grouping={groupingName === undefined ? undefined : grouping}
                onZoom={explanation.onDrag}
                openBucket={openBucket}
                explanation={explanation}
                text={q}
              />
              <BreakdownSection
                metrics={metrics}
                grouping={grouping}
                sort={sort}
                onGroup={(name) => change({ by: name, sort: undefined })}
                onSort={(next) => change({ sort: next })}
                onOpen={(key) => open(clausesOf(grouping, key).reduce(withClause, ''))}
              />
            </div>
          )}
        </div>
        {explanation.panel}
      </div>
    </Screen>
  )
}

interface BreakdownSectionProps {
  readonly metrics: ReturnType<typeof useMetrics>
  readonly grouping: Grouping
  readonly sort: string | undefined
  readonly onGroup: (name: Grouping['name']) => void
  readonly onSort: (sort: string | undefined) => void
  readonly onOpen: (key: string) => void
}

/** The figures by group, below the charts. */
function BreakdownSection({ metrics, grouping, sort, onGroup, onSort, onOpen }: BreakdownSectionProps) {
  return (
    <section aria-label="Breakdown" className="rounded border border-line">
      <nav
        aria-label="Group by"
        className="flex flex-wrap items-center gap-1 border-b border-line px-2 py-1.5"
      >
        {groupings.map(({ name, label }) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === grouping.name}
            onClick={() => onGroup(name)}
            className={`h-7 rounded-sm px-2 text-sm hover:bg-hover ${name === grouping.name ? 'bg-selected font-medium text-accent-ink' : 'text-ink-2'}`}
          >
            {label}
          </button>
        ))}
        {metrics.isCut && (
          <span className="ml-auto px-2 text-xs text-ink-3">Groups with the most traces</span>
        )}
      </nav>
      {metrics.groupsError !== null && metrics.groups === undefined ? (
        <ErrorState error={metrics.groupsError} />
      ) : (
        <Breakdown
          key={grouping.name}
          grouping={grouping}
          rows={metrics.groups}
          sort={sort}
          onSort={onSort}
          onOpen={onOpen}
        />
      )}
    </section>
  )
}
