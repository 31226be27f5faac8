/** The values of one chart: in total or by group, over time or as one number, and for the previous period. */
import type { DashboardChart } from '@plumbline/sdk'
import { bucketStarts, bucketWidths } from '@plumbline/sdk/time-buckets'
import { useMemo } from 'react'
import { useRead } from '../../app/api.ts'
import { filterInput } from '../../traces/filter/filter-input.ts'
import { clausesOfInput } from '../../traces/filter/filter-of-input.ts'
import type { Clause } from '../../traces/filter/filter-text.ts'
import type { ChartSeries } from '../../ui/charts/chart-data.ts'
import { type Stretch, startBefore } from '../buckets.ts'
import type { Row } from '../groupings.ts'
import { seriesOf } from '../make-series.ts'
import { fieldOfDimension, labelOfValue } from './dimensions.ts'

/** The number of groups with a colour of their own. */
const seriesMax = 8
const rankingMax = 7

export interface RankingRow {
  readonly value: string | null
  readonly label: string
  readonly amount: number
  readonly before: number | null
}

export function useChart(chart: DashboardChart, stretch: Stretch, more: readonly Clause[]) {
  const { measure, dimension, comparesWithPrevious, chart: type } = chart
  const isOverTime = type === 'lines' || type === 'bars'
  const clauses = useMemo(() => [...clausesOfInput(chart.filters), ...more], [chart.filters, more])
  const scope = { from: stretch.from.toISOString(), to: stretch.to.toISOString() }
  const scopeBefore = { from: startBefore(stretch).toISOString(), to: scope.from }
  const { q: _words, ...filter } = filterInput(clauses)
  const filters = JSON.stringify(filter)
  const { granularity, timeZone } = stretch

  const groups = useRead(
    'metrics.query',
    {
      measures: measure,
      dimensions: dimension ?? '',
      filters,
      limit: isOverTime ? seriesMax : rankingMax,
      ...scope,
    },
    { enabled: dimension !== null },
  )
  const labels = useLabels(dimension, scope, filter)
  const values = dimension === null ? [] : (groups.data?.rows ?? []).map((row) => textOf(row[dimension]))
  const isReady = dimension === null || (groups.data !== undefined && !groups.isPlaceholderData)
  const narrowed = dimension === null ? filters : withValues(filter, dimension, values)
  const course = useRead(
    'metrics.query',
    {
      measures: measure,
      ...(dimension !== null && { dimensions: dimension }),
      filters: narrowed,
      granularity,
      timeZone,
      ...scope,
    },
    { enabled: isOverTime && isReady },
  )
  const total = useRead(
    'metrics.query',
    { measures: measure, filters, ...scope },
    { enabled: type === 'total' },
  )
  const isCompared = comparesWithPrevious && (dimension === null || type === 'ranking')
  const before = useRead(
    'metrics.query',
    {
      measures: measure,
      ...(type === 'ranking' && dimension !== null && { dimensions: dimension }),
      filters: type === 'ranking' ? narrowed : filters,
      ...(isOverTime && { granularity, timeZone }),
      ...scopeBefore,
    },
    { enabled: isCompared && isReady },
  )
  const rows: readonly Row[] | undefined = course.isPlaceholderData ? undefined : course.data?.rows
  const rowsBefore: readonly Row[] | undefined =
    isCompared && !before.isPlaceholderData ? before.data?.rows : undefined
  const series = rows && seriesOfChart(chart, stretch, rows, rowsBefore, values, labels)
  return {
    clauses,
    series,
    ranking:
      type === 'ranking' && dimension !== null
        ? rankingOf(groups.data?.rows, rowsBefore, chart, labels)
        : undefined,
    total: numberOf(total.data?.rows[0]?.[measure]),
    before: numberOf(rowsBefore?.[0]?.[measure]),
    error: groups.error ?? course.error ?? total.error ?? before.error,
    retry: () => void Promise.all([groups, course, total].map((query) => query.refetch())),
  }
}

type Labels = ReadonlyMap<string, string>

/** The names of users and organizations, by id. */
function useLabels(
  dimension: string | null,
  scope: { readonly from: string; readonly to: string },
  filter: object,
): Labels {
  const isOfPeople = dimension === 'user' || dimension === 'organization'
  const facets = useRead(
    'traces.facets',
    { ...filter, ...scope, fields: dimension ?? '', limit: labelsMax },
    { enabled: isOfPeople },
  ).data?.facets
  const values = isOfPeople ? (facets?.find(({ field }) => field === dimension)?.values ?? []) : []
  return new Map(values.flatMap(({ value, label }) => (label === undefined ? [] : [[value, label]])))
}

const labelsMax = 100

const textOf = (value: string | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value)
const numberOf = (value: string | number | null | undefined): number | null | undefined =>
  value === undefined ? undefined : typeof value === 'number' ? value : null

/** The filter combined with these values, so that only the visible groups are read over time. */
function withValues(
  filter: { readonly where?: string },
  dimension: string,
  values: readonly (string | null)[],
): string {
  const field = fieldOfDimension(dimension)
  const texts = values.filter((value) => value !== null)
  // A missing value cannot be combined with present ones in one condition.
  if (field === undefined || texts.length < values.length || texts.length === 0) return JSON.stringify(filter)
  const where = filter.where === undefined ? [] : (JSON.parse(filter.where) as object[])
  return JSON.stringify({ ...filter, where: JSON.stringify([...where, { field, is: texts }]) })
}

function seriesOfChart(
  chart: DashboardChart,
  stretch: Stretch,
  rows: readonly Row[],
  rowsBefore: readonly Row[] | undefined,
  values: readonly (string | null)[],
  labels: Labels,
): readonly ChartSeries[] {
  const { measure, dimension } = chart
  const { times, from, granularity, timeZone } = stretch
  if (dimension !== null) return groupSeries(rows, times, chart, values, labels)
  const now = { ...seriesOf(rows, times, measure, 'This period'), color: 1 as const }
  if (rowsBefore === undefined) return [now]
  const width = bucketWidths[granularity]
  const timesBefore = bucketStarts(startBefore(stretch), from, width, timeZone).slice(0, times.length)
  const before = seriesOf(rowsBefore, timesBefore, measure, 'Previous period')
  return [now, { ...before, key: 'before', color: 'ink-3' }]
}

function groupSeries(
  rows: readonly Row[],
  times: readonly Date[],
  { measure, dimension }: DashboardChart,
  values: readonly (string | null)[],
  labels: Labels,
): readonly ChartSeries[] {
  const byValue = Map.groupBy(rows, (row) => textOf(row[dimension ?? '']))
  return values.map((value, index) => ({
    ...seriesOf(byValue.get(value) ?? [], times, measure, labels.get(value ?? '') ?? labelOfValue(value)),
    key: value ?? '',
    color: (index + 1) as 1,
  }))
}

function rankingOf(
  rows: readonly Row[] | undefined,
  rowsBefore: readonly Row[] | undefined,
  { measure, dimension }: DashboardChart,
  labels: Labels,
): readonly RankingRow[] | undefined {
  const name = dimension ?? ''
  const before = new Map(rowsBefore?.map((row) => [textOf(row[name]), numberOf(row[measure]) ?? null]))
  return rows?.flatMap((row) => {
    const amount = numberOf(row[measure])
    const value = textOf(row[name])
    return typeof amount === 'number'
      ? [
          {
            value,
            label: labels.get(value ?? '') ?? labelOfValue(value),
            amount,
            before: before.get(value) ?? null,
          },
        ]
      : []
  })
}
