/** When a trace starts and ends. Pure, since it is needed both on acceptance and for the rows. */

export interface Times {
  readonly startUs: bigint | null
  readonly endUs: bigint | null
}

/** The trace's own times, else the earliest start and latest end of its logs, else its arrival and no end. */
export function timesOf(
  own: Times,
  logs: readonly Times[],
  arrivalUs: bigint,
): { startUs: bigint; endUs: bigint | null } {
  return { startUs: own.startUs ?? earliestStart(logs) ?? arrivalUs, endUs: own.endUs ?? latestEnd(logs) }
}

/** A warning if a trace ends before it starts, wherever the two times come from. */
export function warningOfTimes(own: Times, logs: readonly Times[], arrivalUs: bigint): string[] {
  const { startUs, endUs } = timesOf(own, logs, arrivalUs)
  if (endUs === null || endUs >= startUs) return []
  if (own.startUs !== null && own.endUs !== null)
    return ['endTime is before startTime; both are stored as sent.']
  const start =
    own.startUs !== null
      ? 'startTime'
      : earliestStart(logs) !== null
        ? 'the earliest startTime of the logs'
        : 'the arrival of the trace, which is used as its startTime'
  const end = own.endUs !== null ? 'endTime' : 'The latest endTime of the logs'
  return [`${end} is before ${start}; the trace is stored with these times.`]
}

function earliestStart(logs: readonly Times[]): bigint | null {
  let earliest: bigint | null = null
  for (const { startUs } of logs)
    if (startUs !== null && (earliest === null || startUs < earliest)) earliest = startUs
  return earliest
}

function latestEnd(logs: readonly Times[]): bigint | null {
  let latest: bigint | null = null
  for (const { endUs } of logs) if (endUs !== null && (latest === null || endUs > latest)) latest = endUs
  return latest
}
