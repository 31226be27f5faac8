/** Two-sided quantiles of the standard normal distribution, for 95 % and 99.9 %. */
const z95 = 1.959963984540054
export const z999 = 3.290526731491926

/**
 * Wilson's score interval for a proportion, 95 % by default. It also works for few trials, and if none or all succeed.
 * Undefined for no trials.
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
