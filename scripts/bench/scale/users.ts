/** The users and sessions that copies of traces belong to: some users have most of the traffic. */

const users = 20_000

/** SQL for a user number from a fraction between 0 and 1, whose cube favours the first users. */
export const userNumber = (fraction: string): string => `toUInt32(pow(${fraction}, 3) * ${users})`

/** The number of the user with about `count` of all traces, or of the user with the fewest. */
export function userWithTraces(count: number, traces: number): number {
  // User n has a fraction n^(-2/3) / (3 * users^(1/3)) of them.
  const number = Math.round((traces / (3 * count * Math.cbrt(users))) ** 1.5)
  return Math.min(number, users - 1)
}

export const dayMs = 86_400_000

/**
 * SQL for a session id from a user number and a start in microseconds. A session covers one user's traces within a day.
 */
export const sessionOf = (user: string, startUs: string): string =>
  `concat('session-', ${user}, '-', toString(intDiv(${startUs}, ${dayMs * 1000})))`

/** The session of the user with the most traces on a day in the past. */
export const busySession = (daysAgo: number): string =>
  `session-0-${Math.floor(Date.now() / dayMs) - daysAgo}`
