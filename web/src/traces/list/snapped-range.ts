/** Pure. */

/**
 * A stretch dragged over a chart, as the whole buckets that it touches: each is drawn around its start, and holds what
 * began from then on.
 */
export function snappedRange(
  rangeStart: Date,
  rangeEnd: Date,
  times: readonly Date[],
  endOf: (start: Date) => Date,
): readonly [Date, Date] {
  const distance = (time: Date, bucket: Date): number => Math.abs(bucket.getTime() - time.getTime())
  // Months are of different lengths, so buckets are compared and not counted.
  const bucketAt = (time: Date): Date | undefined =>
    times.reduce<Date | undefined>(
      (nearest, bucket) =>
        nearest === undefined || distance(time, bucket) <= distance(time, nearest) ? bucket : nearest,
      undefined,
    )
  const [first, last] = [bucketAt(rangeStart), bucketAt(rangeEnd)]
  return first === undefined || last === undefined ? [rangeStart, rangeEnd] : [first, endOf(last)]
}
