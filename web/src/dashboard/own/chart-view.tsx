/** One chart of a dashboard: lines, bars, a number or a ranking, with links to the traces behind it. */
import type { DashboardChart } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Clause } from '../../traces/filter/filter-text.ts'
import { writeFilter } from '../../traces/filter/filter-text.ts'
import { BarList } from '../../ui/charts/bar-list.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { nothing } from '../../ui/text/format.ts'
import type { Stretch } from '../buckets.ts'
import { ChartCard } from '../chart-card.tsx'
import { Delta } from '../figure-tile.tsx'
import { isCount } from '../make-series.ts'
import { ScaledCharts } from '../scaled-charts.tsx'
import { clauseOfValue, dimensionChoices } from './dimensions.ts'
import { lookOf } from './measures.ts'
import { useChart } from './use-chart.ts'

interface ChartViewProps {
  readonly chart: DashboardChart
  readonly stretch: Stretch
  /** The filter of the screen, which narrows every chart. */
  readonly more: readonly Clause[]
  readonly actions: ReactNode
  readonly window: { readonly from: Date; readonly to: Date } | undefined
  readonly onZoom: (start: Date, end: Date) => void
  readonly onOpen: (text: string, time?: Date) => void
  readonly tracesLink: (text: string) => { readonly q?: string; readonly range: string }
}

export function ChartView({
  chart,
  stretch,
  more,
  actions,
  window,
  onZoom,
  onOpen,
  tracesLink,
}: ChartViewProps) {
  const { title, measure, dimension, chart: type } = chart
  const data = useChart(chart, stretch, more)
  const { format } = lookOf(measure)
  const text = writeFilter(data.clauses)
  const hint = hintOf(chart)
  if (
    data.error !== null &&
    data.series === undefined &&
    data.ranking === undefined &&
    data.total === undefined
  )
    return (
      <Card title={title} hint={hint} actions={actions}>
        <ErrorState error={data.error} onRetry={data.retry} />
      </Card>
    )
  if (type === 'total')
    return (
      <Card title={title} hint={hint} actions={actions}>
        <Total chart={chart} data={data} link={tracesLink(text)} />
      </Card>
    )
  if (type === 'ranking' && dimension !== null)
    return (
      <Card title={title} hint={hint} actions={actions}>
        <Ranking
          chart={chart}
          data={data}
          onPick={(key) => {
            const clause = clauseOfValue(dimension, key === '' ? null : key)
            onOpen(writeFilter([...data.clauses, ...(clause ? [clause] : [])]))
          }}
        />
      </Card>
    )
  const isOfScores = measure === 'avgScore' && dimension === 'scoreName'
  if (isOfScores)
    return (
      <Card title={title} hint={hint} actions={actions}>
        <ScaledCharts series={data.series} times={stretch.times} format={format} onZoom={onZoom} />
      </Card>
    )
  return (
    <ChartCard
      title={title}
      hint={hint}
      actions={actions}
      kind={type === 'bars' && !chart.comparesWithPrevious ? 'bars' : 'lines'}
      times={stretch.times}
      series={data.series}
      format={format}
      isCount={isCount(measure)}
      window={window}
      onZoom={onZoom}
      onPick={(time) => onOpen(text, time)}
    />
  )
}

interface PartProps {
  readonly chart: DashboardChart
  readonly data: ReturnType<typeof useChart>
}

function Total({
  chart,
  data,
  link,
}: PartProps & { readonly link: ReturnType<ChartViewProps['tracesLink']> }) {
  const { format, isBadIfMore = false } = lookOf(chart.measure)
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <Link
        to="/traces"
        search={link}
        aria-label={`${chart.title}: show the traces`}
        className="text-title font-semibold hover:underline"
      >
        {data.total === undefined ? (
          <Skeleton className="h-6 w-16" />
        ) : data.total === null ? (
          nothing
        ) : (
          format(data.total)
        )}
      </Link>
      {chart.comparesWithPrevious && (
        <Delta
          now={data.total}
          before={data.before}
          {...(isBadIfMore && { more: 'bad' as const })}
          format={format}
        />
      )}
    </p>
  )
}

function Ranking({ chart, data, onPick }: PartProps & { readonly onPick: (key: string) => void }) {
  const { format, isBadIfMore = false } = lookOf(chart.measure)
  if (data.ranking === undefined) return <Skeleton className="h-40" />
  if (data.ranking.length === 0)
    return <p className="grid h-40 place-items-center text-sm text-ink-3">No data in this range</p>
  return (
    <BarList
      label={chart.title}
      format={format}
      onPick={onPick}
      bars={data.ranking.map(({ value, label, amount, before }) => ({
        key: value ?? '',
        label: (
          <span className="flex items-baseline gap-2">
            <bdi className="truncate">{label}</bdi>
            {chart.comparesWithPrevious && (
              <Delta
                now={amount}
                before={before}
                {...(isBadIfMore && { more: 'bad' as const })}
                format={format}
              />
            )}
          </span>
        ),
        value: amount,
      }))}
    />
  )
}

function hintOf({ title, measure, dimension }: DashboardChart): string {
  const { label } = lookOf(measure)
  const grouping =
    dimension === null
      ? ''
      : `by ${(dimensionChoices.find(({ value }) => value === dimension)?.label ?? dimension).toLowerCase()}`
  const words = [label.toLowerCase() === title.toLowerCase() ? '' : label, grouping].filter(
    (part) => part !== '',
  )
  return words.join(' ')
}

interface CardProps {
  readonly title: string
  readonly hint: ReactNode
  readonly actions: ReactNode
  readonly children: ReactNode
}

function Card({ title, hint, actions, children }: CardProps) {
  return (
    <section aria-label={title} className="flex h-full min-w-0 flex-col rounded border border-line p-3">
      <div className="mb-2 flex min-h-7 items-center gap-2">
        <h2 className="min-w-0 truncate text-sm font-medium" title={title}>
          {title}
        </h2>
        <span className="min-w-0 flex-1 truncate text-xs text-ink-3">{hint}</span>
        {actions}
      </div>
      {children}
    </section>
  )
}
