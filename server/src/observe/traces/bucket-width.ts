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

/** The width in microseconds; buckets start at its multiples and cover both instants. */
export function bucketWidth(firstUs: bigint, lastUs: bigint, most: number): bigint {
  const fits = (width: bigint): boolean => bucketsBetween(firstUs, lastUs, width) <= BigInt(most)
  const roundWidth = widths.find(fits)
  if (roundWidth !== undefined) return roundWidth
  // Spans of centuries: the interface accepts the years 1 to 9999.
  let width = widest * 2n
  while (!fits(width)) width *= 2n
  return width
}

/** The start of the bucket of an instant; instants before 1970 are negative. */
export const bucketStart = (us: bigint, width: bigint): bigint => us - (((us % width) + width) % width)

const bucketsBetween = (firstUs: bigint, lastUs: bigint, width: bigint): bigint =>
  (bucketStart(lastUs, width) - bucketStart(firstUs, width)) / width + 1n
