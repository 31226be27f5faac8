import type { operations } from '@plumbline/contract'
import { earliest, latest, writeTimestamp } from '../../json/timestamp.ts'
import type { Verb } from '../../requests/verb.ts'
import { readFilters } from '../../traces/filters.ts'
import { readTimeZone } from '../../traces/time-zone.ts'
import { bucketStart, bucketWidth, endOfBucket } from './bucket-width.ts'

export const histogram: Verb<typeof operations.traces.histogram> = async (
  { buckets: bucketsMax = 60, includesLater = false, timeZone: zoneName, ...filters },
  { workspace },
) => {
  const traceFilters = readFilters(filters)
  const timeZone = readTimeZone(zoneName) ?? 'UTC'
  const histogram = await workspace.traces.histogram(traceFilters, {
    includesLater,
    timeZone,
    // Even a wide bucket may end between the two instants, so allow at least two.
    chooseWidth: ({ firstUs, lastUs }) => bucketWidth(firstUs, lastUs, Math.max(bucketsMax, 2), timeZone),
  })
  if (histogram === undefined) return { widthMs: 0, buckets: [] }
  const { range, widthUs } = histogram
  const counted = new Map(histogram.buckets.map((bucket) => [bucket.startUs, bucket]))
  const buckets = []
  let startUs = bucketStart(range.firstUs, widthUs, timeZone)
  for (; startUs <= range.lastUs; startUs = endOfBucket(startUs, widthUs, timeZone)) {
    const { traces = 0, failed = 0, cost = null } = counted.get(startUs) ?? {}
    // Dates before the year 1 cannot be written.
    buckets.push({ time: writeTimestamp(startUs < earliest ? earliest : startUs), traces, failed, cost })
  }
  return {
    widthMs: Number(widthUs / 1000n),
    buckets,
    end: writeTimestamp(startUs > latest ? latest : startUs),
  }
}
