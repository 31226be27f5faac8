/** Turns metric rows into chart series. Pure. */
import type { ChartSeries } from '../ui/charts/chart-data.ts'
import { nearestTime } from '../ui/charts/nearest-time.ts'
import { formatPercent, formatTokens } from '../ui/text/format.ts'
import { type Grouping, keyOf, labelOf, type Row } from './groupings.ts'

/** Without data, counts are zero, and averages and percentiles are unknown. Only counts add up. */
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

/**
 * The scores with the most verdicts, in descending order, each with its rows; scores without an average are omitted.
 */
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

/** The number of series with a colour of their own. */
const keysMax = 7

/**
 * A series for each of the largest keys, in the same order for all charts so that each keeps its colour, and one for
 * the rest if it is known.
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
  // A trace with two models counts for both, and a rounding error is not a rest.
  const isThere = rest.some((value) => value > 1e-9)
  return isThere ? [...series, { key: 'rest', label: 'Other', color: 8 as const, values: rest }] : series
}

/** The keys of the rows, by descending number of traces. */
export function keysBySize(rows: readonly Row[], grouping: Grouping): readonly string[] {
  return rows
    .map((row) => ({ key: keyOf(grouping, row), size: numberOf(row, 'traces') ?? 0 }))
    .sort((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1))
    .map(({ key }) => key)
}

/** The relative change of a figure from the previous period; undefined if either is unknown. */
export function deltaOf(now: number | null, previous: number | null): number | undefined {
  if (now === null || previous === null || previous === 0) return undefined
  return (now - previous) / previous
}

/** `12.5%`; `×13` if a percentage would be too large to read. */
export const formatChange = (delta: number): string =>
  Math.abs(delta) < 10 ? formatPercent(Math.abs(delta)) : `×${formatTokens(Math.round(1 + delta))}`
