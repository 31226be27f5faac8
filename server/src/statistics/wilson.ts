/** The normal variables that so many are within. */
export const z95 = 1.959963984540054
export const z999 = 3.290526731491926

/**
 * Where the true share lies with 95 % confidence unless `z` says otherwise, of so many successes in so many trials: Wilson's score interval, which
 * holds for few trials too, and for none or all that succeed. Undefined for no trials.
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
