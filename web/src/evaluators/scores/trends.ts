/** Trends and distributions of scores. Pure. */
import type { Score } from '@plumbline/sdk'
import { bucketStarts, bucketWidths } from '@plumbline/sdk/time-buckets'
import { nearestTime } from '../../ui/charts/nearest-time.ts'

/** A row of `metrics.query` of scores by name over time. */
export type MetricRow = Readonly<Record<string, string | number | null>>

export type Step = 'hour' | 'day'

/** A range and its time steps. */
export interface Steps {
  readonly from: Date
  readonly to: Date
  readonly step: Step
  /** The time zone of its days. */
  readonly timeZone: string
}

/** Hours for up to three days, otherwise days: enough points to show a trend, few enough to have scores in each. */
export const stepFor = (start: Date, end: Date): Step =>
  end.getTime() - start.getTime() <= 3 * bucketWidths.day ? 'hour' : 'day'

export interface Trend {
  readonly count: number
  /** Null if no score is a number or a boolean. */
  readonly mean: number | null
  readonly times: readonly Date[]
  /** The mean of each step; null where there were no scores. */
  readonly averages: readonly (number | null)[]
  readonly counts: readonly number[]
}

/** The starts of the steps of a range. */
export const timesOf = ({ from, to, step, timeZone }: Steps): readonly Date[] =>
  bucketStarts(from, to, bucketWidths[step], timeZone)

/** The trend of the scores of each name over the whole range. */
export function trendsOf(rows: readonly MetricRow[], steps: Steps): Map<string, Trend> {
  const times = timesOf(steps)
  const byName = Map.groupBy(rows, ({ scoreName }) => String(scoreName ?? ''))
  byName.delete('')
  return new Map([...byName].map(([name, own]) => [name, trendOf(own, times)]))
}

function trendOf(rows: readonly MetricRow[], times: readonly Date[]): Trend {
  const byTime = new Map(rows.map((row) => [nearestTime(times, row.time), row]))
  const bucketRows = times.map((time) => byTime.get(time.getTime()))
  const counts = bucketRows.map((row) => Number(row?.scores ?? 0))
  const averages = bucketRows.map((row) => (typeof row?.avgScore === 'number' ? row.avgScore : null))
  const count = counts.reduce((sum, value) => sum + value, 0)
  const stepCount = averages.reduce<number>(
    (sum, mean, index) => sum + (mean === null ? 0 : (counts[index] ?? 0)),
    0,
  )
  const total = averages.reduce<number>((sum, mean, index) => sum + (mean ?? 0) * (counts[index] ?? 0), 0)
  return { count, mean: stepCount === 0 ? null : total / stepCount, times, averages, counts }
}

/** The means as one line that bridges gaps; undefined with fewer than two points. */
export function courseOf(averages: readonly (number | null)[]): readonly (number | null)[] | undefined {
  const points = averages.flatMap((mean, index) => (mean === null ? [] : [{ index, mean }]))
  if (points.length < 2) return undefined
  return averages.map((mean, index) => {
    const after = points.find((point) => point.index >= index)
    const before = points.findLast((point) => point.index <= index)
    if (mean !== null || after === undefined || before === undefined) return mean
    const share = (index - before.index) / (after.index - before.index)
    return before.mean + (after.mean - before.mean) * share
  })
}

export interface Share {
  readonly label: string
  readonly count: number
}

const bins = 10

/** The distribution of values: yes and no, categories, or numbers in ten equal steps. */
export function distributionOf(scores: readonly Pick<Score, 'value'>[]): readonly Share[] {
  const numbers = scores.map(({ value }) => value).filter((value) => typeof value === 'number')
  if (numbers.length === scores.length && new Set(numbers).size > bins) return inBins(numbers)
  const counts = Map.groupBy(scores, ({ value }) => labelOf(value))
  const shares = [...counts].map(([label, list]) => ({ label, count: list.length }))
  const isOrdered = numbers.length === scores.length
  return shares.sort((a, b) => (isOrdered ? Number(a.label) - Number(b.label) : b.count - a.count))
}

export const labelOf = (value: Score['value']): string =>
  typeof value === 'boolean'
    ? value
      ? 'Yes'
      : 'No'
    : typeof value === 'number'
      ? String(round(value))
      : value

const round = (value: number): number => Number(value.toPrecision(4))

function inBins(numbers: readonly number[]): readonly Share[] {
  const min = numbers.reduce((lowest, value) => Math.min(lowest, value), Number.POSITIVE_INFINITY)
  const width = (numbers.reduce((most, value) => Math.max(most, value), min) - min) / bins
  const counts = new Array<number>(bins).fill(0)
  for (const value of numbers) {
    const bin = Math.min(bins - 1, Math.floor((value - min) / width))
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  return counts.map((count, bin) => ({
    label: `${round(min + bin * width)} – ${round(min + (bin + 1) * width)}`,
    count,
  }))
}
