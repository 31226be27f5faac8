/** The normal variable that 95 % are within. */
const z95 = 1.959963984540054

/**
 * Where the true share lies with 95 % confidence, of so many successes in so many trials: Wilson's score interval, which
 * holds for few trials too, and for none or all that succeed. Undefined for no trials.
 */
export function wilsonInterval(successes: number, trials: number): { low: number; high: number } | undefined {
  if (trials === 0) return undefined
  const share = successes / trials
  const weight = z95 ** 2 / trials
  const centre = (share + weight / 2) / (1 + weight)
  const reach = (z95 * Math.sqrt((share * (1 - share)) / trials + weight / (4 * trials))) / (1 + weight)
  return { low: Math.max(0, centre - reach), high: Math.min(1, centre + reach) }
}
