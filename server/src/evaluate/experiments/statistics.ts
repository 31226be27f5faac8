/** Statistics of paired differences: their size, confidence and direction. */

/** Undefined for no values. */
export const mean = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length

/** The sample standard deviation (n - 1); undefined for fewer than two values. */
export function standardDeviation(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined
  const middle = mean(values) ?? 0
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1))
}

/** Bounds the work on the event loop: about ten milliseconds. */
const drawsMax = 2_000_000

/** Means of bootstrap samples with replacement. Deterministic: the same values give the same means. */
export function resampledMeans(
  values: readonly number[],
  samples = Math.max(500, Math.min(5000, Math.floor(drawsMax / Math.max(values.length, 1)))),
): number[] {
  const random = mulberry32(values.length)
  return Array.from({ length: samples }, () => {
    let sum = 0
    for (let index = 0; index < values.length; index++) sum += values[Math.floor(random() * values.length)]!
    return sum / values.length
  })
}

/** The 95 % percentile interval of the mean (Efron and Tibshirani, An Introduction to the Bootstrap, chapter 13). */
export function bootstrapInterval(values: readonly number[]): { low: number; high: number } | undefined {
  if (values.length < 2) return undefined
  const sortedMeans = resampledMeans(values).sort((left, right) => left - right)
  return {
    low: sortedMeans[Math.floor(sortedMeans.length * 0.025)]!,
    high: sortedMeans[Math.ceil(sortedMeans.length * 0.975) - 1]!,
  }
}

/** The two-sided sign test of the hypothesis that both signs are equally likely; ties are ignored. */
export function signTest(differences: readonly number[]): {
  positive: number
  negative: number
  pValue: number
} {
  const positive = differences.filter((difference) => difference > 0).length
  const negative = differences.filter((difference) => difference < 0).length
  const trials = positive + negative
  const fewer = Math.min(positive, negative)
  // In logarithms, since binomial coefficients of a thousand trials overflow doubles.
  let logWays = 0
  let tail = 0
  for (let successes = 0; successes <= fewer; successes++) {
    tail += Math.exp(logWays - trials * Math.LN2)
    logWays += Math.log(trials - successes) - Math.log(successes + 1)
  }
  return { positive, negative, pValue: Math.min(1, 2 * tail) }
}

/** A small seeded generator: repeating a request must not change its response. */
function mulberry32(seed: number): () => number {
  let state = seed + 0x6d2b79f5
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
