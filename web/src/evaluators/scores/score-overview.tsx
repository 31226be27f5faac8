import type { Score } from '@plumbline/sdk'
import { useMemo } from 'react'
import { BarList } from '../../ui/charts/bar-list.tsx'
import { TimeChart } from '../../ui/charts/time-chart.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatCount, formatMean, formatPercent } from '../../ui/text/format.ts'
import { Count } from '../../ui/text/values.tsx'
import { MeanScore } from './mean-score.tsx'
import { distributionOf, type Trend } from './trends.ts'

interface ScoreOverviewProps {
  readonly trend: Trend | undefined
  readonly isLoaded: boolean
  /** The latest scores, the basis of the distribution. */
  readonly scores: readonly Score[]
  readonly hasMore: boolean
  readonly onZoom: (start: Date, end: Date) => void
}

/** The mean over time, the number of scores, and the distribution of values. */
export function ScoreOverview({ trend, isLoaded, scores, hasMore, onZoom }: ScoreOverviewProps) {
  const shares = useMemo(() => distributionOf(scores), [scores])
  if (!isLoaded) return <Skeleton className="m-4 h-48" />
  if (trend === undefined) return null
  const share = (count: number): string => `${formatCount(count)} · ${formatPercent(count / scores.length)}`
  return (
    <section
      aria-label="Overview"
      className="grid shrink-0 grid-cols-[minmax(0,2fr)_minmax(240px,1fr)] gap-x-8 gap-y-4 border-b border-line p-4 max-lg:grid-cols-1"
    >
      <div className="flex min-w-0 flex-col gap-3">
        <dl className="flex gap-8">
          <div>
            <dt className="text-xs text-ink-3">Mean</dt>
            <dd className="text-lg [&_.numbers]:text-lg">
              <MeanScore mean={trend.mean} />
            </dd>
          </div>
          <div>
            <dt className="text-xs text-ink-3">Scores</dt>
            <dd className="text-lg [&_.numbers]:text-lg">
              <Count value={trend.count} />
            </dd>
          </div>
        </dl>
        {trend.mean === null ? (
          <p className="text-sm text-ink-2">
            Categories have no mean. The distribution shows how often each occurs.
          </p>
        ) : (
          <TimeChart
            label="Mean of the scores over time"
            kind="lines"
            height={160}
            times={trend.times}
            series={[{ key: 'mean', label: 'Mean', values: trend.averages, color: 'accent' }]}
            format={formatMean}
            onZoom={onZoom}
          />
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        <h2 className="text-xs text-ink-3">
          {hasMore ? `Of the latest ${formatCount(scores.length)} scores` : 'Distribution'}
        </h2>
        <BarList
          label="Distribution"
          bars={shares.slice(0, 12).map(({ label, count }) => ({ key: label, label, value: count }))}
          format={share}
        />
        {shares.length > 12 && <p className="text-xs text-ink-3">and {shares.length - 12} more</p>}
      </div>
    </section>
  )
}
