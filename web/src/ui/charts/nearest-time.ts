/**
 * Which bucket of a chart a row of the service is of: the one that begins the nearest. They begin at the same instant where
 * the browser has the rules of the service; those of an old one may be older, and put a day an hour off. Pure.
 */
export function nearestTime(times: readonly Date[], time: unknown): number | undefined {
  const ms = Date.parse(String(time))
  let [first, last] = [0, times.length - 1]
  while (first < last) {
    const middle = (first + last) >> 1
    if (times[middle]!.getTime() < ms) first = middle + 1
    else last = middle
  }
  const [before, after] = [times[first - 1]?.getTime(), times[first]?.getTime()]
  if (before === undefined || after === undefined) return after
  return ms - before < after - ms ? before : after
}
