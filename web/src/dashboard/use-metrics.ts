/** The metrics of the dashboard. */
import { distributionMeasures } from '@plumbline/sdk/trace-fields'
import { useMemo } from 'react'
import { useRead } from '../app/api.ts'
import type { Range } from '../app/range/range.ts'
import { filterInput } from '../traces/filter/filter-input.ts'
import { readFilter } from '../traces/filter/filter-text.ts'
import { startBefore } from './buckets.ts'
import { type Grouping, isUnbounded } from './groupings.ts'
import { keysBySize } from './make-series.ts'
import { useStretch } from './use-stretch.ts'

const durations = 'avgDurationMs,p50DurationMs,p95DurationMs,p99DurationMs'
const figures = `traces,cost,inputTokens,outputTokens,totalTokens,errorRate,${durations}`

/** The median and p95 of fields that only generations have. */
const ofGenerations = [...distributionMeasures].flatMap(([name, { field, statistic }]) =>
  field.column === undefined && (statistic === 'p50' || statistic === 'p95') ? [name] : [],
)

/** The most users and customers to load. */
const keysMax = 50

export type Metrics = ReturnType<typeof useMetrics>

/** `isDivided`: the charts are grouped too, not only the table. */
export function useMetrics(text: string, range: Range, grouping: Grouping, isDivided: boolean) {
  const stretch = useStretch(range)
  const { q: words, ...filter } = useMemo(() => filterInput(readFilter(text)), [text])
  const scope = { from: stretch.from.toISOString(), to: stretch.to.toISOString() }
  const filters = JSON.stringify(filter)
  const { granularity, timeZone } = stretch
  const before = { from: startBefore(stretch).toISOString(), to: scope.from }
  const measures = `${figures},users`

  const totals = useRead('metrics.query', { measures, filters, ...scope })
  const previous = useRead('metrics.query', { measures, filters, ...before })
  const course = useRead('metrics.query', { measures: figures, filters, granularity, timeZone, ...scope })
  const scores = useRead('metrics.query', {
    measures: 'scores,avgScore',
    dimensions: 'scoreName',
    filters,
    granularity,
    timeZone,
    ...scope,
  })
  const generations = useRead('metrics.query', {
    measures: ofGenerations.join(','),
    filters,
    granularity,
    timeZone,
    ...scope,
  })

  const isMany = isUnbounded(grouping)
  const field = grouping.fields[0]
  const frequent = useRead(
    'traces.facets',
    { ...filter, ...scope, fields: field, limit: keysMax },
    { enabled: isMany },
  ).data?.facets.find((facet) => facet.field === field)
  const groupFilters = isMany ? narrow(filter, field, frequent?.values ?? []) : filters
  const dimensions = grouping.dimensions.join(',')
  const grouped = { filters: groupFilters, dimensions, ...scope }
  const isAsked = !isMany || frequent !== undefined
  const groups = useRead('metrics.query', { measures: figures, ...grouped }, { enabled: isAsked })
  const rows = useMemo(
    () => (isAsked && !groups.isPlaceholderData ? groups.data?.rows.filter(isOfSome(grouping)) : undefined),
    [isAsked, groups.isPlaceholderData, groups.data, grouping],
  )
  const groupCourse = useRead(
    'metrics.query',
    { measures: figures, granularity, timeZone, ...grouped },
    { enabled: isAsked && isDivided },
  )
  return {
    ...stretch,
    words,
    filters,
    scope,
    totals,
    previous,
    course,
    scores,
    generations,
    groups: rows,
    groupsError: groups.error,
    keys: useMemo(() => (rows === undefined ? [] : keysBySize(rows, grouping)), [rows, grouping]),
    groupCourse: groupCourse.isPlaceholderData ? undefined : groupCourse.data?.rows,
    isCut: isMany && (frequent?.values.length ?? 0) === keysMax,
  }
}

/** The filter combined with these values. */
function narrow(
  filter: { readonly where?: string },
  field: string,
  values: readonly { readonly value: string }[],
): string {
  const where = filter.where === undefined ? [] : (JSON.parse(filter.where) as object[])
  const condition = { field, is: values.map(({ value }) => value) }
  return JSON.stringify({ ...filter, where: JSON.stringify([...where, condition]) })
}

/** Logs without a model or a prompt form no group, since most have neither. Traces without a feature or a user do. */
const isOfSome =
  ({ name, dimensions }: Grouping) =>
  (row: Readonly<Record<string, unknown>>): boolean =>
    (name !== 'model' && name !== 'promptVersion') ||
    dimensions.some((dimension) => (row[dimension] ?? null) !== null)
