/**
 * Which values account for the change of a measure: its decomposition by traces. Pure.
 *
 * A sum changes by the amount that the traces of each value add in the window, minus the amount in the baseline. A mean
 * changes by the influence of each value: the distance of its traces from the mean of the baseline, weighted by their
 * share. Over the values of a dimension, both add up to the whole change.
 */
import type { ChangeMeasure, ChangeReason } from '@plumbline/contract'
import type { ChangeSums } from '@plumbline/storage/traces'

const meanMeasures: ReadonlySet<ChangeMeasure> = new Set(['errorRate', 'avgDurationMs'])
/** Quantiles of the normal distribution: 95 % of it lie within the first, 99.9 % within the second. */
const z95 = 1.96
const z999 = 3.29
const reasonsMax = 20

export interface Change {
  readonly before: number | null
  readonly after: number | null
  readonly change: number | null
  readonly interval: [number, number] | null
  readonly tracesBefore: number
  readonly tracesAfter: number
  readonly reasons: ChangeReason[]
}

interface Estimate {
  readonly value: number
  readonly variance: number
}

/** `scale` is how much longer the window is than the baseline. */
export function explainChange(measure: ChangeMeasure, sums: readonly ChangeSums[], scale: number): Change {
  const total = sums.find(({ dimension }) => dimension === undefined)
  const isMean = meanMeasures.has(measure)
  const counts = { tracesBefore: total?.baseline.traces ?? 0, tracesAfter: total?.window.traces ?? 0 }
  const nothing = { change: null, interval: null, ...counts, reasons: [] }
  if (total === undefined) return isMean ? { before: null, after: null, ...nothing } : zero(counts)
  const [before, after] = figuresOf(total, isMean, scale)
  if (before === null || after === null) return { before, after, ...nothing }
  const contribution = isMean ? influenceOn(total) : (part: ChangeSums) => differenceOf(part, scale)
  const whole = contribution(total)
  const reasons = sums.flatMap((part): ChangeReason[] => {
    const { dimension, value, label } = part
    if (dimension === undefined) return []
    const estimate = contribution(part)
    const weight = expectedShare(part, total, isMean)
    const excess = estimate.value - weight * whole.value
    if (Math.abs(excess) <= z999 * Math.sqrt(estimate.variance)) return []
    // A value that weakens the change does not account for it.
    if (whole.value !== 0 && estimate.value / whole.value <= weight) return []
    const [partBefore, partAfter] = figuresOf(part, isMean, scale)
    return [
      {
        dimension,
        value,
        label: label === '' ? null : label,
        contribution: estimate.value,
        interval: intervalOf(estimate),
        shareOfChange: whole.value === 0 ? 0 : estimate.value / whole.value,
        shareOfTraces:
          (part.window.traces + part.baseline.traces) / (total.window.traces + total.baseline.traces),
        before: partBefore,
        after: partAfter,
        tracesBefore: part.baseline.traces,
        tracesAfter: part.window.traces,
      },
    ]
  })
  const excessOf = ({ contribution: value, shareOfTraces }: ChangeReason): number =>
    Math.abs(value - shareOfTraces * whole.value)
  return {
    before,
    after,
    change: whole.value,
    interval: intervalOf(whole),
    ...counts,
    reasons: reasons.sort((a, b) => excessOf(b) - excessOf(a)).slice(0, reasonsMax),
  }
}

const zero = (counts: { tracesBefore: number; tracesAfter: number }): Change => ({
  before: 0,
  after: 0,
  change: 0,
  interval: [0, 0],
  ...counts,
  reasons: [],
})

const figuresOf = (
  { window, baseline }: ChangeSums,
  isMean: boolean,
  scale: number,
): [previous: number | null, current: number | null] =>
  isMean
    ? [ratio(baseline.sum, baseline.count), ratio(window.sum, window.count)]
    : [baseline.sum * scale, window.sum]

const ratio = (sum: number, count: number): number | null => (count === 0 ? null : sum / count)

/** Traces arrive at random, each with its own amount: the variance of such a sum is the sum of the squares. */
const differenceOf = ({ window, baseline }: ChangeSums, scale: number): Estimate => ({
  value: window.sum - scale * baseline.sum,
  variance: window.squares + scale ** 2 * baseline.squares,
})

function influenceOn(total: ChangeSums): (part: ChangeSums) => Estimate {
  const reference = total.baseline.sum / total.baseline.count
  const influence = (sums: ChangeSums['window'], traces: number): Estimate => {
    if (traces === 0) return { value: 0, variance: 0 }
    const value = (sums.sum - reference * sums.count) / traces
    const squares = (sums.squares - 2 * reference * sums.sum + reference ** 2 * sums.count) / traces
    return { value, variance: Math.max(0, squares - value ** 2) / traces }
  }
  return ({ window, baseline }) => {
    const after = influence(window, total.window.count)
    const before = influence(baseline, total.baseline.count)
    return { value: after.value - before.value, variance: after.variance + before.variance }
  }
}

/** The share of the change that a value would have if all traces had changed alike. */
function expectedShare(part: ChangeSums, total: ChangeSums, isMean: boolean): number {
  if (isMean) return part.baseline.count / total.baseline.count
  return total.baseline.sum === 0 ? 0 : part.baseline.sum / total.baseline.sum
}

const intervalOf = ({ value, variance }: Estimate): [number, number] => [
  value - z95 * Math.sqrt(variance),
  value + z95 * Math.sqrt(variance),
]
