/** A custom dashboard: its charts, which editors add, change, move and remove. */
import type { Dashboard, DashboardChart } from '@plumbline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LayoutDashboard, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { call, refresh, useChange, useClient, useRead } from '../../app/api.ts'
import { DeleteDialog } from '../../app/delete-dialog.tsx'
import { Path } from '../../app/path.tsx'
import { rangeBetween } from '../../app/range/range.ts'
import { useRange } from '../../app/range/use-range.ts'
import { Screen } from '../../app/screen.tsx'
import { useSession } from '../../app/session.tsx'
import { FilterBar } from '../../traces/filter/filter-bar.tsx'
import { readFilter } from '../../traces/filter/filter-text.ts'
import { snappedRange } from '../../traces/list/snapped-range.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { downloadText } from '../../ui/files/download.ts'
import { lateDialog } from '../../ui/overlay/late-dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { endOf, partWithin } from '../buckets.ts'
import { useExplanation } from '../explain/use-explanation.tsx'
import { ownDashboardRoute } from '../routes.ts'
import { useStretch } from '../use-stretch.ts'
import { DashboardActions } from './actions.tsx'
import { ChartGrid } from './chart-grid.tsx'
import { DashboardMenu } from './dashboard-menu.tsx'

const ChartDialog = lateDialog(async () => (await import('./chart-dialog.tsx')).ChartDialog)

export function OwnDashboardScreen() {
  const { slug } = ownDashboardRoute.useParams()
  const read = useRead('dashboards.get', { slug })
  const dashboard = read.data?.dashboard.slug === slug ? read.data.dashboard : undefined
  const title = dashboard?.name ?? slug
  const heading = <Path parents={[{ label: 'Dashboard', link: { to: '/dashboard' } }]}>{title}</Path>
  if (dashboard === undefined)
    return (
      <Screen title={title} heading={heading} hasRange actions={<DashboardMenu />}>
        {read.isError ? (
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        ) : (
          <SkeletonRows />
        )}
      </Screen>
    )
  return <Charts dashboard={dashboard} heading={heading} />
}

function Charts({
  dashboard,
  heading,
}: {
  readonly dashboard: Dashboard
  readonly heading: React.ReactNode
}) {
  const { slug, name, charts } = dashboard
  const { q = '' } = ownDashboardRoute.useSearch()
  const navigate = ownDashboardRoute.useNavigate()
  const leave = useNavigate()
  const { range, setRange } = useRange()
  const mayChange = useSession().may('editor')
  const stretch = useStretch(range)
  const [editing, setEditing] = useState<PlacedChart | 'new'>()
  const [isDeleting, setDeleting] = useState(false)
  const save = useSaveCharts(dashboard)
  const saveChart = useSaveChart(slug)
  const more = useMemo(() => readFilter(q).filter(({ type }) => type !== 'words'), [q])
  const scope = { from: stretch.from.toISOString(), to: stretch.to.toISOString() }
  const explanation = useExplanation(stretch, (start, end) => setRange([start, end]))
  const drag = (start: Date, end: Date): void =>
    explanation.onDrag(...snappedRange(start, end, stretch.times, (time) => endOf(time, stretch)))
  const linkTo = (text: string, part?: readonly [Date, Date]) => ({
    ...(text !== '' && { q: text }),
    range: part === undefined ? range.text : rangeBetween(...part),
  })
  const open = (text: string, time?: Date): void => {
    const part = time && partWithin(time, stretch)
    void leave({ to: '/traces', search: linkTo(text, part) })
  }
  const addButton = mayChange && (
    <Button look="primary" icon={<Plus aria-hidden size={14} />} onClick={() => setEditing('new')}>
      Add chart
    </Button>
  )
  return (
    <Screen
      title={name}
      heading={heading}
      hasRange
      actions={
        <>
          <DashboardMenu />
          <DashboardActions
            dashboard={dashboard}
            mayChange={mayChange}
            onExport={() => downloadText(`${slug}.json`, jsonOf(dashboard), 'application/json')}
            onDelete={() => setDeleting(true)}
          />
          {charts.length > 0 && addButton}
        </>
      }
    >
      <div className="flex min-h-0 flex-1">
        <div className="min-w-0 flex-1 overflow-auto">
          <Head
            dashboard={dashboard}
            text={q}
            scope={scope}
            onFilter={(text) =>
              void navigate({ search: (previous) => ({ ...previous, q: text === '' ? undefined : text }) })
            }
          />
          {charts.length === 0 ? (
            <NoCharts action={addButton} />
          ) : (
            <ChartGrid
              charts={charts}
              stretch={stretch}
              more={more}
              explanation={explanation}
              mayChange={mayChange}
              onZoom={drag}
              onOpen={open}
              tracesLink={linkTo}
              onEdit={setEditing}
              onSave={save}
            />
          )}
        </div>
        {explanation.panel}
      </div>
      <ChartDialog
        subject={typeof editing === 'object' ? editing.chart : editing}
        scope={scope}
        onClose={() => setEditing(undefined)}
        onSave={(chart) => saveChart(chart, typeof editing === 'object' ? editing : undefined)}
      />
      <DeleteDashboard
        dashboard={isDeleting ? dashboard : undefined}
        onClose={() => setDeleting(false)}
        onDeleted={() => void leave({ to: '/dashboard' })}
      />
    </Screen>
  )
}

const refreshes = ['dashboards.get', 'dashboards.list'] as const

/** Saves the charts; a message makes the change undoable. */
function useSaveCharts({
  slug,
  charts,
  revision,
}: Dashboard): (next: readonly DashboardChart[], onDone?: string) => void {
  const toasts = useToasts()
  const queries = useQueryClient()
  const update = useChange('dashboards.update', { refreshes })
  return (next, onDone) =>
    update.mutate(
      { slug, charts: [...next], revision },
      {
        // Someone else may have changed it, so the next press acts on the current state.
        onError: () => void refresh(queries, refreshes),
        onSuccess: ({ dashboard: newDashboard }) =>
          onDone !== undefined &&
          toasts.done(onDone, {
            undo: () => update.mutate({ slug, charts: [...charts], revision: newDashboard.revision }),
          }),
      },
    )
}

/** A chart as it was when opened, and its position then. */
interface PlacedChart {
  readonly chart: DashboardChart
  readonly index: number
}

/** Saves a new or changed chart, and keeps concurrent changes by others. */
function useSaveChart(
  slug: string,
): (chart: DashboardChart, original: PlacedChart | undefined) => Promise<void> {
  const toasts = useToasts()
  const client = useClient()
  const update = useChange('dashboards.update', { refreshes, showsErrors: true })
  return async (chart, original) => {
    const { charts, revision } = (await call(client, 'dashboards.get', { slug })).dashboard
    const index = original === undefined ? -1 : placeOf(original, charts)
    const next = index === -1 ? [...charts, chart] : charts.with(index, chart)
    await update.mutateAsync({ slug, charts: next, revision })
    if (original !== undefined && index === -1)
      toasts.done(`Added “${chart.title}” as another chart`, {
        description: 'Someone else changed or removed the chart you had opened.',
      })
  }
}

/** The current position of a chart; -1 if it has been changed or removed. */
function placeOf({ chart, index }: PlacedChart, charts: readonly DashboardChart[]): number {
  const text = JSON.stringify(chart)
  const isSame = (other: DashboardChart | undefined): boolean => JSON.stringify(other) === text
  return isSame(charts[index]) ? index : charts.findIndex(isSame)
}

interface HeadProps {
  readonly dashboard: Dashboard
  readonly text: string
  readonly scope: { readonly from: string; readonly to: string }
  readonly onFilter: (text: string) => void
}

/** The header above the charts. */
function Head({ dashboard, text, scope, onFilter }: HeadProps) {
  const hasWords = readFilter(text).some(({ type }) => type === 'words')
  return (
    <>
      <div className="border-b border-line px-4 py-2">
        <FilterBar text={text} scope={scope} onChange={onFilter} />
      </div>
      {hasWords && (
        <p role="status" className="px-4 pt-2 text-xs text-warn">
          Charts cannot filter by text: words are ignored here. Search for them in the trace list.
        </p>
      )}
      {dashboard.description !== '' && (
        <p dir="auto" className="max-w-prose px-4 pt-4 text-sm break-words text-ink-2">
          {dashboard.description}
        </p>
      )}
    </>
  )
}

const NoCharts = ({ action }: { readonly action: React.ReactNode }) => (
  <EmptyState icon={<LayoutDashboard aria-hidden size={20} />} title="No charts yet" action={action}>
    A chart shows a measure, grouped as you choose: cost by customer, errors by release, scores over time.
  </EmptyState>
)

interface DeleteDashboardProps {
  readonly dashboard: Dashboard | undefined
  readonly onClose: () => void
  readonly onDeleted: () => void
}

const DeleteDashboard = ({ dashboard, onClose, onDeleted }: DeleteDashboardProps) => (
  <DeleteDialog
    item={dashboard}
    noun="dashboard"
    operation="dashboards.delete"
    toInput={(item) => ({ slug: item.slug })}
    nameOf={(item) => item.name}
    refreshes={['dashboards.list']}
    onClose={onClose}
    onDeleted={onDeleted}
  >
    It is deleted for everyone in the workspace. Download its JSON first to keep a copy.
  </DeleteDialog>
)

/** In the format of `plumbline dashboards push`. */
const jsonOf = ({ slug, name, description, charts }: Dashboard): string =>
  `${JSON.stringify({ slug, name, description, charts }, null, 2)}\n`
