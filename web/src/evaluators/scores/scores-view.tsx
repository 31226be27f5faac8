/** The scores of one name: their trend, their distribution, and the latest with their reasons. */
import type { Evaluator } from '@plumbline/sdk'
import { useMemo } from 'react'
import { usePages } from '../../app/api.ts'
import { rangeInput, useRange } from '../../app/range/use-range.ts'
import { useTraceNames } from '../../traces/use-traces-by-id.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { evaluatorRoute } from '../routes.ts'
import { scoreColumns } from './score-columns.tsx'
import { ScoreOverview } from './score-overview.tsx'
import { useTrends } from './use-trends.ts'

const rowId = ({ id }: { readonly id: string }): string => id

interface ScoresViewProps {
  readonly slug: string
  /** Undefined if scores of this name are only posted. */
  readonly evaluator: Evaluator | undefined
}

export function ScoresView({ slug, evaluator }: ScoresViewProps) {
  const { sort } = evaluatorRoute.useSearch()
  const navigate = evaluatorRoute.useNavigate()
  const { range, setRange } = useRange()
  const { trends } = useTrends()
  const scores = usePages('scores.list', { name: slug, ...rangeInput(range), limit: 200 }, 'scores')
  const nameOfTrace = useTraceNames(scores.items.map(({ traceId }) => traceId))
  const columns = useMemo(() => scoreColumns(nameOfTrace), [nameOfTrace])
  if (scores.isError && scores.data === undefined)
    return <ErrorState error={scores.error} onRetry={() => void scores.refetch()} />
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <ScoreOverview
        trend={trends?.get(slug)}
        isLoaded={trends !== undefined}
        scores={scores.items}
        hasMore={scores.hasNextPage}
        onZoom={(start, end) => setRange([start, end])}
      />
      <div className="flex min-h-80 flex-1 flex-col">
        <DataTable
          label="Scores"
          columns={columns}
          rows={scores.data === undefined ? undefined : scores.items}
          rowId={rowId}
          sort={sort}
          onSort={(next) => void navigate({ search: (previous) => ({ ...previous, sort: next }) })}
          onOpen={({ traceId, logId }) =>
            void navigate({
              to: '/traces/$id',
              params: { id: traceId },
              search: logId === null ? {} : { log: logId },
            })
          }
          more={scores.more}
          empty={
            <EmptyState title="No scores in this range">
              {evaluator === undefined
                ? 'Choose a longer range, or post scores with this name.'
                : 'Choose a longer range. Scores appear as traces are evaluated; you can also post them with this name.'}
            </EmptyState>
          }
        />
      </div>
    </div>
  )
}
