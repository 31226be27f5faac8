/**
 * Revisions of replaceable scores: the time in milliseconds and three digits, of which each process that shares the spool
 * has a range of its own. Otherwise two processes would now and then give the same revision.
 */

/** With more processes at once, ranges would overlap again. */
const processesMax = 100
const revisionsPerMs = 1000
const revisionsPerProcess = revisionsPerMs / processesMax

/** Each call of the returned function returns a higher revision. */
export function makeRevisions(processNumber: number): (now: Date) => number {
  let last = 0
  const firstOf = (ms: number): number =>
    ms * revisionsPerMs + (processNumber % processesMax) * revisionsPerProcess

  return (now) => {
    const lastMs = Math.floor(last / revisionsPerMs)
    if (now.getTime() > lastMs) last = firstOf(now.getTime())
    else last = last + 1 < firstOf(lastMs) + revisionsPerProcess ? last + 1 : firstOf(lastMs + 1)
    return last
  }
}
