/** A small chart for each series with its own scale: scores from 0 to 1 appear beside those from 1 to 5. */
import type { ChartSeries } from '../ui/charts/chart-data.ts'
import { TimeChart } from '../ui/charts/time-chart.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

interface ScaledChartsProps {
  /** Undefined while loading. */
  readonly series: readonly ChartSeries[] | undefined
  readonly times: readonly Date[]
  readonly format: (value: number) => string
  readonly onZoom: (start: Date, end: Date) => void
  readonly onPick?: (time: Date) => void
}

export function ScaledCharts({ series, times, format, onZoom, onPick }: ScaledChartsProps) {
  if (series === undefined) return <Skeleton className="h-40" />
  const visibleSeries = series.filter(({ values }) => values.some((value) => value !== null))
  if (visibleSeries.length === 0)
    return <p className="grid h-40 place-items-center text-sm text-ink-3">No data in this range</p>
  return (
    <ul className="grid grid-cols-[repeat(auto-fit,minmax(180px,1fr))] gap-x-4 gap-y-2">
      {visibleSeries.map((each) => (
        <li key={each.key} className="min-w-0">
          <p className="flex items-baseline gap-2 text-xs">
            <bdi title={each.label} className="min-w-0 flex-1 truncate text-ink-2">
              {each.label}
            </bdi>
            <span className="numbers text-ink-3">{format(lastOf(each))}</span>
          </p>
          <div className="-mr-2">
            <TimeChart
              label={`${each.label} over time`}
              kind="lines"
              height={72}
              labelsPx={32}
              times={times}
              series={[each]}
              format={format}
              onZoom={onZoom}
              {...(onPick && { onPick })}
            />
          </div>
        </li>
      ))}
    </ul>
  )
}

const lastOf = ({ values }: ChartSeries): number => values.findLast((value) => value !== null) ?? 0
