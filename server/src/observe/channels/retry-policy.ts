/** When a notification is sent again. */

const backoffMs = { first: 5000, most: 3_600_000, factor: 3 }

/** The pause after so many failures: three times as long each time, and by chance up to a quarter shorter. */
export const retryDelayMs = (failures: number, chance: number): number =>
  Math.min(backoffMs.most, backoffMs.first * backoffMs.factor ** (failures - 1)) * (1 - chance / 4)
