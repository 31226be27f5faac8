/** Two-sided quantiles of the standard normal distribution, for 95 % and 99.9 %. */
const z95 = 1.959963984540054
export const z999 = 3.290526731491926

/**
 * Wilson's score interval of a proportion, with 95 % confidence by default. It also holds for few trials, and when none or
 * all succeed. Undefined for no trials.
 */
export function wilsonInterval(
  successes: number,
  trials: number,
  z: number = z95,
): { low: number; high: number } | undefined {
  if (trials === 0) return undefined
  const share = successes / trials
  const weight = z ** 2 / trials
  const centre = (share + weight / 2) / (1 + weight)
  const reach = (z * Math.sqrt((share * (1 - share)) / trials + weight / (4 * trials))) / (1 + weight)
  return { low: Math.max(0, centre - reach), high: Math.min(1, centre + reach) }
}
