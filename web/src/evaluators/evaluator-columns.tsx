import type { Evaluator } from '@plumbline/sdk'
import { Badge } from '../ui/badge.tsx'
import { Sparkline } from '../ui/charts/sparkline.tsx'
import type { Column } from '../ui/table/columns.ts'
import { formatPercent } from '../ui/text/format.ts'
import { Count, Nothing } from '../ui/text/values.tsx'
import { kinds } from './edit/kinds.ts'
import { MeanScore } from './scores/mean-score.tsx'
import { courseOf, type Trend } from './scores/trends.ts'

/** A score name: that of an evaluator, or of scores posted by clients. */
export interface ScoreName {
  readonly name: string
  readonly evaluator: Evaluator | undefined
  readonly trend: Trend | undefined
}

/** The columns of the list of evaluators. */
export const evaluatorColumns: readonly Column<ScoreName>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 180,
    grow: 3,
    sortBy: ({ name, evaluator }) => (evaluator?.name ?? name).toLowerCase(),
    cell: ({ name, evaluator }) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="truncate font-medium" title={evaluator?.name ?? name}>
          {evaluator?.name ?? name}
        </span>
        {evaluator !== undefined && (
          <code className="truncate max-xl:hidden font-mono text-xs text-ink-3" title={name}>
            {name}
          </code>
        )}
      </span>
    ),
  },
  {
    id: 'kind',
    header: 'Kind',
    width: 148,
    sortBy: ({ evaluator }) => evaluator?.kind ?? '',
    cell: ({ evaluator }) =>
      evaluator === undefined ? (
        <Badge title="Posted through the API; no evaluator produces these scores">posted</Badge>
      ) : (
        <Badge tone="info">{kinds[evaluator.kind].label}</Badge>
      ),
  },
  {
    id: 'rate',
    header: 'Sampling',
    width: 84,
    align: 'right',
    sortBy: ({ evaluator }) => evaluator?.sampleRate ?? -1,
    cell: ({ evaluator }) =>
      evaluator === undefined ? (
        <Nothing />
      ) : (
        <span className="numbers" title="Percentage of traces it evaluates, unless a trace sets its own rate">
          {formatPercent(evaluator.sampleRate)}
        </span>
      ),
  },
  {
    id: 'version',
    header: 'Version',
    width: 76,
    align: 'right',
    sortBy: ({ evaluator }) => evaluator?.version ?? 0,
    cell: ({ evaluator }) =>
      evaluator === undefined ? <Nothing /> : <span className="numbers">v{evaluator.version}</span>,
  },
  {
    id: 'scores',
    header: 'Scores',
    width: 84,
    align: 'right',
    sortBy: ({ trend }) => trend?.count ?? 0,
    cell: ({ trend }) => <Count value={trend?.count ?? 0} />,
  },
  {
    id: 'mean',
    header: 'Mean',
    width: 84,
    align: 'right',
    sortBy: ({ trend }) => trend?.mean ?? -1,
    cell: ({ trend }) => <MeanScore mean={trend?.mean ?? null} />,
  },
  {
    id: 'trend',
    header: 'Trend',
    width: 112,
    cell: ({ name, trend }) =>
      trend === undefined || courseOf(trend.averages) === undefined ? (
        <Nothing />
      ) : (
        <Sparkline values={courseOf(trend.averages) ?? []} label={`Mean of ${name} over time`} width={96} />
      ),
  },
]
