/** When a failed job is tried again, unless its kind says otherwise. */

export const attemptsMaxByDefault = 10

const backoffMs = { first: 1000, most: 3_600_000, factor: 4 }

/** The pause after as many failures: four times as long each time, and by chance up to a quarter shorter. */
export const retryDelayMs = (failures: number, chance: number): number =>
  Math.min(backoffMs.most, backoffMs.first * backoffMs.factor ** (failures - 1)) * (1 - chance / 4)
