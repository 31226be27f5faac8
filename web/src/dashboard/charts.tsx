/** The charts over time, in total or by group. */
import { fieldEntries } from '@plumbline/sdk/trace-fields'
import { useMemo } from 'react'
import { typedName } from '../traces/filter/filter-fields.ts'
import { snappedRange } from '../traces/list/snapped-range.ts'
import type { ChartSeries } from '../ui/charts/chart-data.ts'
import { formatCount, formatDuration, formatMoney, formatPercent, formatScore } from '../ui/text/format.ts'
import { endOf } from './buckets.ts'
import { ChartCard } from './chart-card.tsx'
import type { Explanation } from './explain/use-explanation.tsx'
import type { Grouping, Row } from './groupings.ts'
import { frequentScores, groupedSeries, isCount, seriesOf } from './make-series.ts'
import { ScaledCharts } from './scaled-charts.tsx'
import type { Metrics } from './use-metrics.ts'

interface ChartsProps {
  readonly metrics: Metrics
  /** The grouping of each chart; totals if absent. */
  readonly grouping: Grouping | undefined
  readonly onZoom: (start: Date, end: Date) => void
  readonly openBucket: (more: string) => (time: Date) => void
  readonly explanation: Explanation
  /** The filter as text. */
  readonly text: string
}

interface Chart {
  readonly title: string
  readonly kind: 'lines' | 'bars'
  readonly format: (value: number) => string
  readonly lines: readonly (readonly [measure: string, label: string, color?: ChartSeries['color']])[]
  /** The measure for each key if the charts are grouped. */
  readonly groupName: string
  readonly dividedHint?: string
  /** An additional filter for the traces behind it. */
  readonly more?: string
}

const charts: readonly Chart[] = [
  {
    title: 'Traces',
    kind: 'bars',
    format: formatCount,
    lines: [['traces', 'Traces', 'accent']],
    groupName: 'traces',
  },
  { title: 'Cost', kind: 'bars', format: formatMoney, lines: [['cost', 'Cost', 3]], groupName: 'cost' },
  {
    title: 'Tokens',
    kind: 'bars',
    format: formatCount,
    lines: [
      ['inputTokens', 'In', 1],
      ['outputTokens', 'Out', 2],
    ],
    groupName: 'totalTokens',
  },
  {
    title: 'Latency',
    kind: 'lines',
    format: formatDuration,
    lines: [
      ['p50DurationMs', 'p50', 1],
      ['p95DurationMs', 'p95', 2],
      ['p99DurationMs', 'p99', 5],
    ],
    groupName: 'p95DurationMs',
    dividedHint: 'p95',
  },
  {
    title: 'Errors',
    kind: 'lines',
    format: formatPercent,
    lines: [['errorRate', 'Failed', 'bad']],
    groupName: 'errorRate',
    more: 'hasError:true',
  },
]

export function Charts({ metrics, grouping, onZoom, openBucket, explanation, text }: ChartsProps) {
  const { times, course, groupCourse, keys } = metrics
  const rows = course.isPlaceholderData ? undefined : course.data?.rows
  const seriesOfCharts = useMemo(
    () =>
      charts.map(({ lines, groupName }) => {
        if (rows === undefined) return undefined
        if (grouping === undefined)
          return lines.map(([measure, label, color]) => ({
            ...seriesOf(rows, times, measure, label),
            ...(color && { color }),
          }))
        return groupCourse && groupedSeries(groupCourse, rows, times, groupName, grouping, keys)
      }),
    [rows, times, grouping, groupCourse, keys],
  )
  const zoom = (start: Date, end: Date): void =>
    onZoom(...snappedRange(start, end, times, (time) => endOf(time, metrics)))
  return (
    <div className="grid grid-cols-3 gap-3 max-xl:grid-cols-2 max-md:grid-cols-1">
      {charts.map(({ title, kind, format, groupName, more = '', dividedHint }, index) => (
        <ChartCard
          key={title}
          title={title}
          hint={grouping && dividedHint}
          actions={explanation.button({
            id: title,
            title,
            measure: groupName,
            filters: metrics.filters,
            text,
          })}
          window={explanation.window}
          kind={kind}
          times={times}
          series={seriesOfCharts[index]}
          format={format}
          isCount={isCount(groupName)}
          onZoom={zoom}
          onPick={openBucket(more)}
        />
      ))}
      {generationFields.map((field) => (
        <GenerationChart
          key={field.name}
          field={field}
          metrics={metrics}
          onZoom={zoom}
          openBucket={openBucket}
        />
      ))}
      <ScoreChart metrics={metrics} onZoom={zoom} openBucket={openBucket} />
    </div>
  )
}

type UndividedChartProps = Omit<ChartsProps, 'grouping' | 'explanation' | 'text'>

const namesMax = 8

/** The averages of the most frequent scores. */
function ScoreChart({ metrics: { times, scores }, onZoom, openBucket }: UndividedChartProps) {
  const series = useMemo(() => {
    if (scores.data === undefined || scores.isPlaceholderData) return undefined
    return frequentScores(scores.data.rows as readonly Row[], namesMax).map(({ name, rows }) => ({
      ...seriesOf(rows, times, 'avgScore', name),
      key: name,
    }))
  }, [scores, times])
  return (
    <section
      aria-label="Scores"
      className="col-span-full flex min-w-0 flex-col rounded border border-line p-3"
    >
      <div className="mb-2 flex min-h-7 items-center gap-2">
        <h2 className="text-sm font-medium">Scores</h2>
        <span className="truncate text-xs text-ink-3">averages, each on its own scale</span>
      </div>
      <ScaledCharts
        series={series}
        times={times}
        format={formatScore}
        onZoom={onZoom}
        onPick={openBucket('')}
      />
    </section>
  )
}

/** Generation fields that have percentiles. */
const generationFields = fieldEntries.flatMap(([name, { label, distribution, column }]) =>
  distribution === undefined || column !== undefined
    ? []
    : [{ name, label, measure: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}` }],
)

interface GenerationChartProps extends UndividedChartProps {
  readonly field: (typeof generationFields)[number]
}

/** The percentiles of a generation field, if applications report it. */
function GenerationChart({
  field,
  metrics: { times, generations },
  onZoom,
  openBucket,
}: GenerationChartProps) {
  const { name, label, measure } = field
  const rows = generations.isPlaceholderData ? undefined : generations.data?.rows
  const series = useMemo(
    () =>
      rows && [
        { ...seriesOf(rows, times, `p50${measure}`, 'p50'), color: 1 as const },
        { ...seriesOf(rows, times, `p95${measure}`, 'p95'), color: 2 as const },
      ],
    [rows, times, measure],
  )
  if (!rows?.some((row) => row[`p50${measure}`] !== null)) return null
  return (
    <ChartCard
      title={label}
      kind="lines"
      times={times}
      series={series}
      format={formatDuration}
      isCount={false}
      onZoom={onZoom}
      onPick={openBucket(`${typedName(name)}:*`)}
    />
  )
}
