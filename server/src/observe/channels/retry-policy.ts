/** When a notification is retried. */

const backoffMs = { first: 5000, most: 3_600_000, factor: 3 }

/** The delay after a number of failures: tripled each time, minus a random part of up to a quarter. */
export const retryDelayMs = (failures: number, chance: number): number =>
  Math.min(backoffMs.most, backoffMs.first * backoffMs.factor ** (failures - 1)) * (1 - chance / 4)
