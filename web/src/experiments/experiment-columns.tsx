import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/overlay/menu.tsx'
import type { Column } from '../ui/table/columns.ts'
import { formatPercent } from '../ui/text/format.ts'
import { Count, Duration, Money, Nothing, RelativeTime } from '../ui/text/values.tsx'
import { exactMeasure, formatMeasure } from './measures.ts'
import { type Run, RunBadge } from './runs/run-badge.tsx'
import type { ExperimentSummary } from './summaries.ts'

export interface Experiment {
  readonly id: string
  readonly name: string
  readonly featureSlug: string
  readonly createdAt: string
}

interface Actions {
  readonly onRename: (experiment: Experiment) => void
  readonly onDelete: (experiment: Experiment) => void
}

interface ColumnSources {
  readonly featureName: (slug: string) => string
  /** Undefined while the metrics load. */
  readonly summaries: ReadonlyMap<string, ExperimentSummary> | undefined
  /** The run of each experiment, by its id. */
  readonly runs: ReadonlyMap<string, Run>
  /** Absent for users who may not change experiments. */
  readonly actions: Actions | undefined
  readonly isNarrow: boolean
}

/** The columns of a narrow table, which shows the feature, the time and the run below the name. */
export const narrowColumns: readonly string[] = ['name', 'traces', 'actions']

const scoresShown = 3

/** The columns of the list of experiments. */
export function experimentColumns({
  featureName,
  summaries,
  runs,
  actions,
  isNarrow,
}: ColumnSources): readonly Column<Experiment>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: isNarrow ? 140 : 240,
      grow: 4,
      sortBy: ({ name }) => name.toLowerCase(),
      cell: ({ id, name, featureSlug, createdAt }) => (
        <span className="flex min-w-0 flex-col">
          <span className="truncate font-medium" title={name} dir="auto">
            {name}
          </span>
          {isNarrow && (
            <span className="flex min-w-0 items-center gap-1.5 text-xs text-ink-3">
              <span className="shrink-0">
                <RelativeTime time={createdAt} />
              </span>
              <RunLink run={runs.get(id)} name={name} />
              <span dir="auto" className="truncate">
                {featureName(featureSlug)}
              </span>
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'feature',
      header: 'Feature',
      width: 140,
      grow: 1,
      sortBy: ({ featureSlug }) => featureSlug,
      cell: ({ featureSlug }) => <span title={featureSlug}>{featureName(featureSlug)}</span>,
    },
    {
      id: 'run',
      header: 'Run',
      width: 96,
      cell: ({ id, name }) => {
        const run = runs.get(id)
        return run === undefined ? <Nothing /> : <RunLink run={run} name={name} />
      },
    },
    ...figureColumns(summaries),
    {
      id: 'created',
      header: 'Created',
      width: 100,
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
    },
    ...(actions === undefined ? [] : [actionColumn(actions)]),
  ]
}

/** The state of an experiment's run; empty if it has none. */
function RunLink({ run, name }: { readonly run: Run | undefined; readonly name: string }) {
  if (run === undefined) return null
  return (
    <Link
      to="/experiments/runs/$id"
      params={{ id: run.id }}
      aria-label={`Run of ${name}`}
      onClick={(event) => event.stopPropagation()}
      className="shrink-0 hover:underline"
    >
      <RunBadge run={run} />
    </Link>
  )
}

function figureColumns(summaries: ColumnSources['summaries']): readonly Column<Experiment>[] {
  const summaryOf = ({ id }: Experiment): ExperimentSummary | undefined => summaries?.get(id)
  return [
    {
      id: 'traces',
      header: 'Traces',
      width: 72,
      align: 'right',
      sortBy: (experiment) => summaryOf(experiment)?.traces ?? 0,
      cell: (experiment) => <Count value={summaryOf(experiment)?.traces ?? (summaries && 0)} />,
    },
    {
      id: 'scores',
      header: 'Mean scores',
      width: 260,
      grow: 2,
      cell: (experiment) => <Scores scores={summaryOf(experiment)?.scores ?? []} />,
    },
    {
      id: 'errors',
      header: 'Failed',
      width: 72,
      align: 'right',
      sortBy: (experiment) => summaryOf(experiment)?.errorRate ?? -1,
      cell: (experiment) => {
        const rate = summaryOf(experiment)?.errorRate
        if (rate === undefined) return <Nothing />
        return (
          <span className={rate > 0 ? 'numbers text-bad' : 'numbers text-ink-3'}>{formatPercent(rate)}</span>
        )
      },
    },
    {
      id: 'cost',
      header: 'Mean cost',
      width: 92,
      align: 'right',
      sortBy: (experiment) => summaryOf(experiment)?.costUsd ?? -1,
      cell: (experiment) => <Money value={summaryOf(experiment)?.costUsd} />,
    },
    {
      id: 'duration',
      header: 'Mean time',
      width: 92,
      align: 'right',
      sortBy: (experiment) => summaryOf(experiment)?.durationMs ?? -1,
      cell: (experiment) => <Duration value={summaryOf(experiment)?.durationMs} />,
    },
  ]
}

const actionColumn = (actions: Actions): Column<Experiment> => ({
  id: 'actions',
  header: '',
  width: 56,
  align: 'right',
  cell: (experiment) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: A press here must not open the row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: The menu's button takes the keys.
    <span onClick={(event) => event.stopPropagation()}>
      <Menu
        trigger={
          <IconButton size="small" label={`Actions for ${experiment.name}`}>
            <Ellipsis aria-hidden size={14} />
          </IconButton>
        }
        items={[
          { label: 'Rename', onSelect: () => actions.onRename(experiment) },
          {
            label: 'Delete',
            isDangerous: true,
            startsGroup: true,
            onSelect: () => actions.onDelete(experiment),
          },
        ]}
      />
    </span>
  ),
})

function Scores({ scores }: Pick<ExperimentSummary, 'scores'>) {
  if (scores.length === 0) return <Nothing />
  const all = scores.map(({ name, mean }) => `${name}: ${exactMeasure(`score.${name}`, mean)}`).join('\n')
  return (
    <span className="flex items-center gap-1" title={all}>
      {scores.slice(0, scoresShown).map(({ name, mean }) => (
        <span key={name} className="min-w-0">
          <Badge>
            <span className="truncate">{name}</span>
            <span className="numbers text-ink">{formatMeasure(`score.${name}`, mean)}</span>
          </Badge>
        </span>
      ))}
      {scores.length > scoresShown && (
        <span className="text-xs text-ink-3">+{scores.length - scoresShown}</span>
      )}
    </span>
  )
}
