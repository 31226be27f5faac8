/**
 * The chart bucket of a row from the service: the one with the nearest start. The starts are equal if the browser has
 * the same time zone rules as the service; an old browser may have older rules, and put a day an hour off. Pure.
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
