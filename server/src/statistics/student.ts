/** Student's t-distribution. */

/** The two-sided tail probability at a distance from 0; `degrees` may be a fraction. */
export function studentTails(distance: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + distance ** 2), degrees / 2, 0.5)
}

/** The distance from 0 with the two-sided tail probability `tails`: 0.05 for a 95 % interval. */
export function studentDistance(tails: number, degrees: number): number {
  let [low, high] = [0, 1]
  while (studentTails(high, degrees) > tails) high *= 2
  // Bisects until the bounds are adjacent doubles.
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (studentTails(middle, degrees) > tails) low = middle
    else high = middle
  }
  return high
}

/** The regularized incomplete beta function (Abramowitz and Stegun, 26.5.8), from the side that converges fast. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b
}

/** Its continued fraction, evaluated from the front (the modified method of Lentz). */
function fraction(x: number, a: number, b: number): number {
  const tiny = Number.MIN_VALUE / Number.EPSILON
  const atLeastTiny = (value: number): number => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / atLeastTiny(1 - ((a + b) * x) / (a + 1))
  let whole = d
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / atLeastTiny(1 + even * d)
    c = atLeastTiny(1 + even / c)
    whole *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / atLeastTiny(1 + odd * d)
    c = atLeastTiny(1 + odd / c)
    whole *= d * c
    if (Math.abs(d * c - 1) < 4 * Number.EPSILON) break
  }
  return whole
}

/** The logarithm of the gamma function for positive numbers, by the series of Stirling (6.1.41) from 10 on. */
function logGamma(x: number): number {
  let shift = 0
  let shifted = x
  for (; shifted < 10; shifted++) shift += Math.log(shifted)
  const inverse = 1 / shifted ** 2
  const series =
    (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / shifted
  return (shifted - 0.5) * Math.log(shifted) - shifted + Math.log(2 * Math.PI) / 2 + series - shift
}
