/** Student's distribution: how far means of few values stray. */

/** How likely a variable of Student's distribution is at least so far from 0, on either side; `degrees` may be a fraction. */
export function studentTails(distance: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + distance ** 2), degrees / 2, 0.5)
}

/** How far from 0 the variable is with the probability `tails`, on either side: 0.05 for a 95 % interval. */
export function studentDistance(tails: number, degrees: number): number {
  let [low, high] = [0, 1]
  while (studentTails(high, degrees) > tails) high *= 2
  // Halved until the two are neighbours among the numbers.
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (studentTails(middle, degrees) > tails) low = middle
    else high = middle
  }
  return high
}

/** The regularized incomplete beta function (Abramowitz and Stegun, 26.5.8), by whichever side converges fast. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b
}

/** Its continued fraction, evaluated from the front (the modified method of Lentz). */
function fraction(x: number, a: number, b: number): number {
  const tiny = Number.MIN_VALUE / Number.EPSILON
  const kept = (value: number): number => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1))
  let whole = d
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / kept(1 + even * d)
    c = kept(1 + even / c)
    whole *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / kept(1 + odd * d)
    c = kept(1 + odd / c)
    whole *= d * c
    if (Math.abs(d * c - 1) < 4 * Number.EPSILON) break
  }
  return whole
}

/** The logarithm of the gamma function for positive numbers, by the series of Stirling (6.1.41) from 10 on. */
function logGamma(x: number): number {
  let shift = 0
  let at = x
  for (; at < 10; at++) shift += Math.log(at)
  const inverse = 1 / at ** 2
  const series =
    (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / at
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - shift
}
