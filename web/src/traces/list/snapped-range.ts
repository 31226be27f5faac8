/** Pure. */

/**
 * A stretch dragged over a chart, as the whole buckets that it touches: each is drawn around its start, and holds what
 * began from then on.
 */
export function snappedRange(
  rangeStart: Date,
  rangeEnd: Date,
  times: readonly Date[],
  widthMs: number,
): readonly [Date, Date] {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || widthMs <= 0) return [rangeStart, rangeEnd]
  const bucketAt = (time: Date): number => {
    const index = Math.round((time.getTime() - first.getTime()) / widthMs)
    return Math.min(times.length - 1, Math.max(0, index))
  }
  const start = times[bucketAt(rangeStart)] ?? first
  const end = times[bucketAt(rangeEnd)] ?? last
  return [start, new Date(end.getTime() + widthMs)]
}
