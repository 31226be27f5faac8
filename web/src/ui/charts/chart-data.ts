/** The data of charts. Pure. */

/** A colour by its meaning, or by its position in the palette of eight. */
export type ChartColor = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 'accent' | 'good' | 'warn' | 'bad' | 'info' | 'ink-3'

export interface ChartSeries {
  readonly key: string
  readonly label: string
  /** A value for each time; null if there is none. */
  readonly values: readonly (number | null)[]
  /** By position if absent. */
  readonly color?: ChartColor
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]
/** The round tick intervals of a duration axis, in milliseconds. */
export const durationSteps: readonly number[] = [
  ...[0.001, 0.01, 0.1, 1, 10, 100, second].flatMap((unit) => [unit, 2 * unit, 5 * unit]),
  ...[10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 4, 6, 12].map((count) => count * hour),
  ...[1, 10, 100, 1000].flatMap((unit) => [unit, 2 * unit, 5 * unit]).map((count) => count * day),
]

/** The token of a series' colour. */
export const colorToken = (color: ChartColor | undefined, index: number): string => {
  const colorOrSlot = color ?? (index % 8) + 1
  return typeof colorOrSlot === 'number' ? `--chart-${colorOrSlot}` : `--${colorOrSlot}`
}

/** Each series with all previous ones added: the upper edges of a stack. */
export function stack(series: readonly ChartSeries[]): (number | null)[][] {
  const sums = new Array<number>(series[0]?.values.length ?? 0).fill(0)
  return series.map(({ values }) =>
    values.map((value, index) => {
      sums[index] = (sums[index] ?? 0) + (value ?? 0)
      return value === null ? null : (sums[index] ?? 0)
    }),
  )
}

/** The points of a sparkline within a box, as the `d` of a path; with gaps at missing values. */
export function sparkPath(values: readonly (number | null)[], width: number, height: number): string {
  const numbers = values.filter((value) => value !== null)
  if (numbers.length === 0) return ''
  const max = numbers.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  const min = numbers.reduce((lowest, value) => Math.min(lowest, value), 0)
  const x = (index: number): number => (values.length === 1 ? 0 : (index / (values.length - 1)) * width)
  const y = (value: number): number => height - 1 - ((value - min) / (max - min || 1)) * (height - 2)
  let isDown = false
  return values
    .map((value, index) => {
      if (value === null) {
        isDown = false
        return ''
      }
      const step = `${isDown ? 'L' : 'M'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`
      isDown = true
      return step
    })
    .join('')
}
