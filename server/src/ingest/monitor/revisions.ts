/**
 * Revisions of what is replaced: the time in milliseconds, and three digits, of which each process that shares the spool
 * has some of its own. Two processes would otherwise give a score the same one now and then.
 */

/** More processes at once would share theirs again. */
const processesMax = 100
const revisionsPerMs = 1000
const revisionsPerProcess = revisionsPerMs / processesMax

/** Each call returns a higher one. */
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
