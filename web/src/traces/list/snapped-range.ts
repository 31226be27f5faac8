/** Pure. */

/**
 * A dragged interval, extended to whole buckets: each bucket is drawn around its start, and contains the traces that
 * started from then on.
 */
export function snappedRange(
  rangeStart: Date,
  rangeEnd: Date,
  times: readonly Date[],
  endOf: (start: Date) => Date,
): readonly [Date, Date] {
  const distance = (time: Date, bucket: Date): number => Math.abs(bucket.getTime() - time.getTime())
  // Months differ in length, so buckets are compared, not computed.
  const bucketAt = (time: Date): Date | undefined =>
    times.reduce<Date | undefined>(
      (nearest, bucket) =>
        nearest === undefined || distance(time, bucket) <= distance(time, nearest) ? bucket : nearest,
      undefined,
    )
  const [first, last] = [bucketAt(rangeStart), bucketAt(rangeEnd)]
  return first === undefined || last === undefined ? [rangeStart, rangeEnd] : [first, endOf(last)]
}
