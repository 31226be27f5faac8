import { type ReactNode, useState } from 'react'
import { type ChartSeries, colorToken } from '../ui/charts/chart-data.ts'
import { TimeChart } from '../ui/charts/time-chart.tsx'
import { classNames } from '../ui/class-names.ts'
import { Skeleton } from '../ui/skeleton.tsx'

interface ChartCardProps {
  readonly title: string
  readonly hint?: ReactNode
  /** Shown to the right of the title. */
  readonly actions?: ReactNode
  readonly kind: 'lines' | 'bars'
  readonly times: readonly Date[]
  /** Undefined while loading. */
  readonly series: readonly ChartSeries[] | undefined
  readonly format: (value: number) => string
  /** The chart shows counts, for which all zeros mean no data; for rates and durations zero is a value. */
  readonly isCount: boolean
  /** A highlighted interval: the one being explained. */
  readonly window?: { readonly from: Date; readonly to: Date } | undefined
  readonly onZoom: (start: Date, end: Date) => void
  readonly onPick: (time: Date) => void
}

const chartPx = 160
/** Without a legend, its space and gap go to the chart, so that cards in a row have equal heights. */
const legendPx = 24

/** A chart over time with its legend: a drag selects an interval, a click opens the traces. */
export function ChartCard({ title, hint, actions, series, isCount, window, ...chart }: ChartCardProps) {
  const [hiddenKeys, setHidden] = useState<ReadonlySet<string>>(new Set())
  // A series keeps its colour when others are hidden.
  const coloured = series?.map((each, index) => ({ ...each, color: each.color ?? (((index % 8) + 1) as 1) }))
  const visibleSeries = coloured?.filter(({ key }) => !hiddenKeys.has(key))
  const isNothing = visibleSeries?.every(({ values }) =>
    values.every((value) => value === null || (isCount && value === 0)),
  )
  const hasLegend = coloured !== undefined && coloured.length > 1
  const height = hasLegend ? chartPx : chartPx + legendPx
  const toggle = (key: string): void => {
    const next = new Set(hiddenKeys)
    if (!next.delete(key)) next.add(key)
    setHidden(next)
  }
  return (
    <section aria-label={title} className="flex h-full min-w-0 flex-col rounded border border-line p-3">
      <div className="mb-2 flex min-h-7 items-center gap-2">
        <h2 className="min-w-0 truncate text-sm font-medium" title={title}>
          {title}
        </h2>
        <span className="min-w-0 flex-1 truncate text-xs text-ink-3">{hint}</span>
        {actions}
      </div>
      {visibleSeries === undefined ? (
        <Skeleton className="h-46" />
      ) : isNothing ? (
        <p className="grid place-items-center text-sm text-ink-3" style={{ height }}>
          No data in this range
        </p>
      ) : (
        // The chart has its own space on the right, for the last tick label.
        <div className="-mr-3">
          <TimeChart
            label={`${title} over time`}
            series={visibleSeries}
            height={height}
            {...(window && { bands: [window], shadedTone: 'chosen' })}
            {...chart}
          />
        </div>
      )}
      {hasLegend && (
        <ul
          aria-label={`Series of ${title}`}
          className="mt-2 flex min-h-4 flex-wrap gap-x-3 gap-y-1 text-2xs text-ink-2"
        >
          {coloured.map(({ key, label, color }, index) => (
            <li key={key} className="max-w-40">
              <button
                type="button"
                aria-pressed={!hiddenKeys.has(key)}
                title={hiddenKeys.has(key) ? `Show ${label}` : `Hide ${label}`}
                onClick={() => toggle(key)}
                className={classNames(
                  'flex max-w-full items-center gap-1 rounded-sm hover:text-ink',
                  hiddenKeys.has(key) && 'text-ink-3 line-through',
                )}
              >
                <span
                  aria-hidden
                  className="size-2 shrink-0 rounded-full"
                  style={{
                    background: hiddenKeys.has(key)
                      ? 'var(--line-strong)'
                      : `var(${colorToken(color, index)})`,
                  }}
                />
                <bdi className="truncate">{label}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
