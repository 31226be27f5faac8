/** When a failed job is retried, unless its kind has its own policy. */

export const attemptsMaxByDefault = 10

const backoffMs = { first: 1000, most: 3_600_000, factor: 4 }

/** The pause after this number of failures: four times as long each time, and up to a quarter shorter at random. */
export const retryDelayMs = (failures: number, chance: number): number =>
  Math.min(backoffMs.most, backoffMs.first * backoffMs.factor ** (failures - 1)) * (1 - chance / 4)
