import { bucketEnd, bucketStart as bucketStartMs } from '@plumbline/contract'

/** Chooses the bucket width of a histogram: the narrowest round width that needs at most the given number of buckets. */
const second = 1_000_000n
const minute = 60n * second
const hour = 60n * minute
const day = 24n * hour

const widths: readonly bigint[] = [
  ...[1n, 2n, 5n, 10n, 15n, 30n].map((count) => count * second),
  ...[1n, 2n, 5n, 10n, 15n, 30n].map((count) => count * minute),
  ...[1n, 2n, 3n, 6n, 12n].map((count) => count * hour),
  ...[1n, 2n, 7n, 14n, 28n, 91n, 182n, 364n].map((count) => count * day),
]
const widest = 364n * day

/** The width in microseconds; buckets start at its multiples in local time, and cover both instants. */
export function bucketWidth(firstUs: bigint, lastUs: bigint, most: number, timeZone = 'UTC'): bigint {
  const fits = (width: bigint): boolean =>
    timeZone === 'UTC'
      ? bucketsBetween(firstUs, lastUs, width) <= BigInt(most)
      : fitsInZone(firstUs, lastUs, width, most, timeZone)
  const roundWidth = widths.find(fits)
  if (roundWidth !== undefined) return roundWidth
  // Spans of centuries: the interface accepts the years 1 to 9999.
  let width = widest * 2n
  while (!fits(width)) width *= 2n
  return width
}

const start = (us: bigint, width: bigint): bigint => us - (((us % width) + width) % width)
const toMs = (us: bigint): number => Number(start(us, 1000n) / 1000n)

/** The start of the bucket of an instant; instants before 1970 are negative. */
export const bucketStart = (us: bigint, width: bigint, timeZone = 'UTC'): bigint =>
  BigInt(bucketStartMs(toMs(us), toMs(width), timeZone)) * 1000n

/** The end of the bucket that starts at an instant. */
export const endOfBucket = (startUs: bigint, width: bigint, timeZone = 'UTC'): bigint =>
  BigInt(bucketEnd(toMs(startUs), toMs(width), timeZone)) * 1000n

/** Counts the buckets one by one, since clock changes make some shorter, and some two hours long. */
function fitsInZone(firstUs: bigint, lastUs: bigint, width: bigint, most: number, timeZone: string): boolean {
  // A quick check first: clock changes reduce the number of buckets by far less than this margin.
  if (bucketsBetween(firstUs, lastUs, width) > BigInt(most) * 2n + 10n) return false
  let startUs = bucketStart(firstUs, width, timeZone)
  for (let count = 0; count < most; count++) {
    startUs = endOfBucket(startUs, width, timeZone)
    if (startUs > lastUs) return true
  }
  return false
}

const bucketsBetween = (firstUs: bigint, lastUs: bigint, width: bigint): bigint =>
  (start(lastUs, width) - start(firstUs, width)) / width + 1n
