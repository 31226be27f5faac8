/** Deadlines, attempts and backoff of evaluations. */

/** An evaluation that has not ended this long after it was requested fails. */
export const deadlineMs = 24 * 3_600_000
/** Failed attempts before an evaluation is given up. */
export const attemptsMax = 6
/** How long the lease of an evaluation lasts: longer than two model calls may take. */
export const leaseMs = 15 * 60_000

const backoffMs = { first: 1000, max: 5 * 60_000 }
const probeBackoffMs = { first: 2000, max: 5 * 60_000 }

/** Exponential backoff, shortened at random by up to half so that retries spread out. */
export const backoffAfter = (failures: number, chance: number): number =>
  exponentialBackoff(backoffMs, failures) * (1 - chance / 2)

/** Like `backoffAfter`, for health probes of a model. */
export const probeBackoffAfter = (problems: number, chance: number): number =>
  exponentialBackoff(probeBackoffMs, problems) * (1 - chance / 2)

const exponentialBackoff = ({ first, max }: { first: number; max: number }, failures: number): number =>
  Math.min(max, first * 2 ** Math.max(0, failures - 1))
