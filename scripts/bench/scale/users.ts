/** The users and sessions that copies of traces belong to: some users have most of the traffic. */

const users = 20_000

/** The number of a user, in the engine's SQL, from one between 0 and 1: its cube favours the first ones. */
export const userNumber = (fraction: string): string => `toUInt32(pow(${fraction}, 3) * ${users})`

/** The number of the user who has about `count` of so many traces, or of the one with the fewest. */
export function userWithTraces(count: number, traces: number): number {
  // User n has n^(-2/3) / (3 * users^(1/3)) of them.
  const number = Math.round((traces / (3 * count * Math.cbrt(users))) ** 1.5)
  return Math.min(number, users - 1)
}

export const dayMs = 86_400_000

/** A session is what a user says within a day. The id, in the engine's SQL, for a user's number and a start in microseconds. */
export const sessionOf = (user: string, startUs: string): string =>
  `concat('session-', ${user}, '-', toString(intDiv(${startUs}, ${dayMs * 1000})))`

/** The session of the user with the most traces on a day in the past. */
export const busySession = (daysAgo: number): string =>
  `session-0-${Math.floor(Date.now() / dayMs) - daysAgo}`
