import type { ReactNode } from 'react'
import { type ChartSeries, colorToken } from '../ui/charts/chart-data.ts'
import { TimeChart } from '../ui/charts/time-chart.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

interface ChartCardProps {
  readonly title: string
  readonly hint?: ReactNode
  readonly kind: 'lines' | 'bars'
  readonly times: readonly Date[]
  /** Undefined while loading. */
  readonly series: readonly ChartSeries[] | undefined
  readonly format: (value: number) => string
  readonly onZoom: (from: Date, to: Date) => void
  readonly onPick: (time: Date) => void
}

/** One chart over time with its legend: a drag sets the range of the screen, a click opens the traces. */
export function ChartCard({ title, hint, series, ...chart }: ChartCardProps) {
  const isNothing = series?.every(({ values }) => values.every((value) => value === null || value === 0))
  return (
    <section aria-label={title} className="flex min-w-0 flex-col rounded border border-line p-3">
      <div className="mb-2 flex items-baseline gap-2">
        <h2 className="text-sm font-medium">{title}</h2>
        <span className="truncate text-xs text-ink-3">{hint}</span>
      </div>
      {series === undefined ? (
        <Skeleton className="h-40" />
      ) : isNothing ? (
        <p className="grid h-40 place-items-center text-sm text-ink-3">No data in this range</p>
      ) : (
        <TimeChart label={`${title} over time`} series={series} height={160} {...chart} />
      )}
      <ul className="mt-2 flex min-h-4 flex-wrap gap-x-3 gap-y-1 text-2xs text-ink-2">
        {series !== undefined &&
          series.length > 1 &&
          series.map(({ key, label, color }, index) => (
            <li key={key} className="flex max-w-40 items-center gap-1">
              <span
                aria-hidden
                className="size-2 shrink-0 rounded-full"
                style={{ background: `var(${colorToken(color, index)})` }}
              />
              <span dir="auto" title={label} className="truncate">
                {label}
              </span>
            </li>
          ))}
      </ul>
    </section>
  )
}
