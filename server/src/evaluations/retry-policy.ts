/** How long evaluations may take, how often they are tried, and when they are tried again. */

/** What was not judged so long after it was asked for has failed. */
export const deadlineMs = 24 * 3_600_000
/** Tries of one evaluation that may fail. */
export const attemptsMax = 6
/** How long a node may hold an evaluation; longer than any answer is waited for, twice. */
export const leaseMs = 15 * 60_000
/** How long ended evaluations are known, so that a record that is drained again is not judged again. */
export const keptMs = { ended: 7 * 24 * 3_600_000, failed: 30 * 24 * 3_600_000 }

const backoffMs = { first: 1000, most: 5 * 60_000 }
const probeBackoffMs = { first: 2000, most: 5 * 60_000 }

/** The pause after so many failures: twice as long each time, and by chance up to half shorter, so that not all come at once. */
export const pauseAfter = (failures: number, chance: number): number =>
  doubled(backoffMs, failures) * (1 - chance / 2)

/** The same after so many problems with a model. */
export const probePauseAfter = (problems: number, chance: number): number =>
  doubled(probeBackoffMs, problems) * (1 - chance / 2)

const doubled = ({ first, most }: { first: number; most: number }, times: number): number =>
  Math.min(most, first * 2 ** Math.max(0, times - 1))
