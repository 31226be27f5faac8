/** The two-sided tail probability of the standard normal distribution at a distance from 0. */
export function normalTails(distance: number): number {
  const x = distance / Math.SQRT2
  return x < 2 ? 1 - errorBySeries(x) : remainderByFraction(x)
}

/** The error function as its power series, which converges fast near 0 (Abramowitz and Stegun, 7.1.6). */
function errorBySeries(x: number): number {
  let term = x
  let sum = x
  for (let n = 1; Math.abs(term) > Number.EPSILON * sum; n++) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum
}

/** The complementary error function as a continued fraction, which stays precise far from 0 (7.1.14). */
function remainderByFraction(x: number): number {
  let fraction = x
  for (let n = 100; n >= 1; n--) fraction = x + n / 2 / fraction
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction)
}
