/** The experiments of the workspace; select two or more to compare them. */
import type { Feature } from '@plumbline/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { GitCompareArrows, Play, Plus, Scale } from 'lucide-react'
import { useMemo, useState } from 'react'
import { usePages, useRead } from '../app/api.ts'
import { useCommands } from '../app/palette/commands.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Select } from '../ui/form/select.tsx'
import { lateDialog } from '../ui/overlay/late-dialog.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { useNarrow } from '../ui/use-width.ts'
import { type Experiment, experimentColumns, narrowColumns } from './experiment-columns.tsx'
import { experimentsRoute } from './routes.ts'
import type { Run } from './runs/run-badge.tsx'
import { summariesOf } from './summaries.ts'
import { useOpenTraces } from './use-open-traces.ts'

const NewExperimentDialog = lateDialog(
  async () => (await import('./experiment-dialogs.tsx')).NewExperimentDialog,
)
const RenameExperimentDialog = lateDialog(
  async () => (await import('./experiment-dialogs.tsx')).RenameExperimentDialog,
)
const DeleteExperimentDialog = lateDialog(
  async () => (await import('./experiment-dialogs.tsx')).DeleteExperimentDialog,
)

const rowId = ({ id }: Experiment): string => id
const everyFeature = 'every'
const comparedMax = 8
const wideMinPx = 640

export function ExperimentsScreen() {
  const { sort, feature } = experimentsRoute.useSearch()
  const navigate = useNavigate()
  const mayChange = useSession().may('editor')
  const experiments = usePages(
    'experiments.list',
    { limit: 200, ...(feature !== undefined && { featureSlug: feature }) },
    'experiments',
  )
  const features = useRead('features.list', {}).data?.features
  const summaries = useSummaries()
  const runs = useRuns()
  const [selection, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isMaking, setMaking] = useState(false)
  const [renaming, setRenaming] = useState<Experiment>()
  const [deleting, setDeleting] = useState<Experiment>()
  const { place, isNarrow } = useNarrow(wideMinPx)
  const columns = useMemo(
    () =>
      experimentColumns({
        featureName: (slug) => features?.find((feature) => feature.slug === slug)?.name ?? slug,
        summaries,
        runs,
        actions: mayChange ? { onRename: setRenaming, onDelete: setDeleting } : undefined,
        isNarrow,
      }),
    [features, summaries, runs, mayChange, isNarrow],
  )
  const { ids, canCompare, compare } = useComparison(experiments.items, selection)
  const openTraces = useOpenTraces()
  useCommands(
    mayChange
      ? [
          { label: 'New experiment', words: 'create compare', run: () => setMaking(true) },
          {
            label: 'Run experiment',
            words: 'prompt endpoint dataset',
            run: () => void navigate({ to: '/experiments/run' }),
          },
        ]
      : [],
  )
  const newExperiment = mayChange && (
    <Button icon={<Plus aria-hidden size={14} />} onClick={() => setMaking(true)}>
      <span>
        New<span className="max-md:sr-only"> experiment</span>
      </span>
    </Button>
  )
  const rows = experiments.data === undefined ? undefined : experiments.items
  return (
    <Screen
      title="Experiments"
      actions={
        <>
          <FeatureFilter feature={feature} features={features} />
          {newExperiment}
          {mayChange && (
            <Link to="/experiments/run" className={buttonClass()}>
              <Play aria-hidden size={14} />
              <span>
                Run<span className="max-md:sr-only"> experiment</span>
              </span>
            </Link>
          )}
          <Button
            look="primary"
            icon={<GitCompareArrows aria-hidden size={14} />}
            disabled={!canCompare}
            onClick={compare}
            title={canCompare ? undefined : `Select 2 to ${comparedMax} experiments to compare`}
          >
            Compare{ids.length > 0 ? ` ${ids.length}` : ''}
          </Button>
        </>
      }
    >
      <div ref={place} className="flex min-h-0 flex-1 flex-col">
        {experiments.isError && rows === undefined ? (
          <ErrorState error={experiments.error} onRetry={() => void experiments.refetch()} />
        ) : (
          <DataTable
            label="Experiments"
            columns={columns}
            {...(isNarrow && { columnIds: narrowColumns })}
            rows={rows}
            rowId={rowId}
            hasTwoLines={isNarrow}
            sort={sort}
            onSort={(next) =>
              void navigate({ to: '/experiments', search: (previous) => ({ ...previous, sort: next }) })
            }
            onOpen={({ id }) => openTraces(id)}
            selection={{ ids: selection, onChange: setChosen }}
            more={experiments.more}
            empty={<NoExperiments mayRun={mayChange} />}
          />
        )}
      </div>
      <NewExperimentDialog isOpen={isMaking} featureSlug={feature} onClose={() => setMaking(false)} />
      <RenameExperimentDialog experiment={renaming} onClose={() => setRenaming(undefined)} />
      <DeleteExperimentDialog experiment={deleting} onClose={() => setDeleting(undefined)} />
    </Screen>
  )
}

/** The selected experiments, the oldest first, which is the baseline of the others. */
function useComparison(experiments: readonly Experiment[], selection: ReadonlySet<string>) {
  const navigate = useNavigate()
  const ids = experiments
    .filter(({ id }) => selection.has(id))
    .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
    .map(({ id }) => id)
  const canCompare = ids.length >= 2 && ids.length <= comparedMax
  const compare = (): void => {
    if (canCompare) void navigate({ to: '/experiments/compare', search: { ids: ids.join(',') } })
  }
  useShortcuts([{ keys: 'c', label: 'Compare selected experiments', onPress: compare }])
  return { ids, canCompare, compare }
}

interface FeatureFilterProps {
  readonly feature: string | undefined
  /** Undefined until the service has listed them. */
  readonly features: readonly Feature[] | undefined
}

function FeatureFilter({ feature, features }: FeatureFilterProps) {
  const navigate = experimentsRoute.useNavigate()
  return (
    <Select
      label="Feature"
      className="w-48 max-md:w-27"
      value={feature ?? everyFeature}
      onChange={(slug) =>
        void navigate({
          search: (previous) => ({ ...previous, feature: slug === everyFeature ? undefined : slug }),
        })
      }
      choices={[
        { value: everyFeature, label: 'All features' },
        ...(features ?? []).map(({ slug, name }) => ({ value: slug, label: name })),
      ]}
    />
  )
}

const NoExperiments = ({ mayRun }: { readonly mayRun: boolean }) => (
  <EmptyState
    icon={<Scale size={20} />}
    title="No experiments yet"
    action={
      mayRun && (
        <Link to="/experiments/run" className={buttonClass()}>
          <Play aria-hidden size={14} />
          Run on a dataset
        </Link>
      )
    }
  >
    An experiment runs a prompt, model or setting on a set of cases. Compare two to see what improved, what
    got worse, and whether the difference is significant.
  </EmptyState>
)

/** Over all time: the date of an experiment says nothing about its results. */
function useSummaries() {
  const from = '1970-01-01T00:00:00Z'
  const totals = useRead('metrics.query', {
    measures: 'traces,avgDurationMs,errorRate',
    dimensions: 'experiment',
    from,
  }).data?.rows
  const costs = useRead('metrics.query', {
    measures: 'traces,cost',
    dimensions: 'experiment',
    filters: JSON.stringify({ minCost: 0 }),
    from,
  }).data?.rows
  const scores = useRead('metrics.query', { measures: 'avgScore', dimensions: 'experiment,scoreName', from })
    .data?.rows
  return useMemo(
    () => (totals === undefined ? undefined : summariesOf(totals, costs ?? [], scores ?? [])),
    [totals, costs, scores],
  )
}

const runsShown = 200
const refreshMs = 2000

/** The run of each experiment, by its id; polls while one is running. */
function useRuns(): ReadonlyMap<string, Run> {
  const runs = useRead(
    'experimentRuns.list',
    { limit: runsShown },
    { refreshMs: (last) => (last?.runs.some(({ status }) => status === 'running') ? refreshMs : undefined) },
  ).data?.runs
  return useMemo(() => new Map(runs?.map((run) => [run.experimentId, run])), [runs])
}
