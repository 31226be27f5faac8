/** Rows of metrics as the series of a chart. Pure. */
import type { ChartSeries } from '../ui/charts/chart-data.ts'
import { nearestTime } from '../ui/charts/nearest-time.ts'
import { formatPercent, formatTokens } from '../ui/text/format.ts'
import { type Grouping, keyOf, labelOf, type Row } from './groupings.ts'

/** Counts are zero where nothing is, and add up; averages and percentiles are unknown there, and do not. */
const additive: ReadonlySet<string> = new Set([
  'traces',
  'cost',
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'scores',
])

export const isCount = (measure: string): boolean => additive.has(measure)

const numberOf = (row: Row | undefined, measure: string): number | null => {
  const value = row?.[measure]
  return typeof value === 'number' ? value : null
}

const valuesAt = (rows: readonly Row[], times: readonly Date[], measure: string): (number | null)[] => {
  const byTime = new Map(rows.map((row) => [nearestTime(times, row.time), row]))
  return times.map(
    (time) => numberOf(byTime.get(time.getTime()), measure) ?? (additive.has(measure) ? 0 : null),
  )
}

export const seriesOf = (
  rows: readonly Row[],
  times: readonly Date[],
  measure: string,
  label: string,
): ChartSeries => ({ key: measure, label, values: valuesAt(rows, times, measure) })

/** The scores with the most verdicts, the most first, each with its rows; those without an average are none. */
export function frequentScores(
  rows: readonly Row[],
  max: number,
): readonly { readonly name: string; readonly rows: readonly Row[] }[] {
  const byName = Map.groupBy(rows, ({ scoreName }) => String(scoreName))
  return [...byName]
    .filter(([, rows]) => rows.some(({ avgScore }) => typeof avgScore === 'number'))
    .map(([name, rows]) => ({
      ...{ name, rows },
      count: rows.reduce((sum, { scores }) => sum + Number(scores), 0),
    }))
    .sort((a, b) => b.count - a.count)
    .slice(0, max)
    .map(({ name, rows }) => ({ name, rows }))
}

/** So many have a colour of their own. */
const keysMax = 7

/**
 * A series for each of the largest keys, in one order for all charts so that each keeps its colour, and one for the rest
 * where it can be told.
 */
export function groupedSeries(
  rows: readonly Row[],
  totals: readonly Row[],
  times: readonly Date[],
  measure: string,
  grouping: Grouping,
  keys: readonly string[],
): readonly ChartSeries[] {
  const byKey = Map.groupBy(rows, (row) => keyOf(grouping, row))
  const topKeys = keys.slice(0, keysMax)
  const series = topKeys.map((key, index) => ({
    key,
    label: labelOf(key),
    color: (index + 1) as 1,
    values: valuesAt(byKey.get(key) ?? [], times, measure),
  }))
  if (!additive.has(measure)) return series
  const rest = valuesAt(totals, times, measure).map((total, index) =>
    Math.max(0, (total ?? 0) - series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)),
  )
  // A trace with two models counts for both: a rounding error is no rest.
  const isThere = rest.some((value) => value > 1e-9)
  return isThere ? [...series, { key: 'rest', label: 'Other', color: 8 as const, values: rest }] : series
}

/** The keys of rows, those with the most traces first. */
export function keysBySize(rows: readonly Row[], grouping: Grouping): readonly string[] {
  return rows
    .map((row) => ({ key: keyOf(grouping, row), size: numberOf(row, 'traces') ?? 0 }))
    .sort((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1))
    .map(({ key }) => key)
}

/** How far a figure is from that of the period before, as a share of it; undefined where one is not known. */
export function deltaOf(now: number | null, previous: number | null): number | undefined {
  if (now === null || previous === null || previous === 0) return undefined
  return (now - previous) / previous
}

/** `12.5%`; `×13` where a percentage says nothing any more. */
export const formatChange = (delta: number): string =>
  Math.abs(delta) < 10 ? formatPercent(Math.abs(delta)) : `×${formatTokens(Math.round(1 + delta))}`
