/** When a message is tried again, and how often. */

/** Over about four hours. */
export const attemptsMax = 10
/** How long a node may hold a message; longer than any receiver is waited for, twice. */
export const leaseMs = 60_000

const backoffMs = { first: 5000, most: 3_600_000, factor: 3 }

/** The pause after so many failures: three times as long each time, and by chance up to a quarter shorter. */
export const retryDelayMs = (failures: number, chance: number): number =>
  Math.min(backoffMs.most, backoffMs.first * backoffMs.factor ** (failures - 1)) * (1 - chance / 4)
