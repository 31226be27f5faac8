import type { operations } from '@plumbline/contract'
import { writeTimestamp } from '../../json/timestamp.ts'
import type { Verb } from '../../requests/verb.ts'
import { readFilters } from '../../traces/filters.ts'
import { bucketStart, bucketWidth } from './bucket-width.ts'

export const histogram: Verb<typeof operations.traces.histogram> = async (
  { buckets: bucketsMax = 60, ...filters },
  { workspace },
) => {
  const traceFilters = readFilters(filters)
  const starts = await workspace.traces.starts(traceFilters)
  const firstUs = traceFilters.fromUs ?? starts?.firstUs
  const lastUs = traceFilters.toUs === undefined ? starts?.lastUs : traceFilters.toUs - 1n
  if (firstUs === undefined || lastUs === undefined || lastUs < firstUs) return { widthMs: 0, buckets: [] }
  // Even a wide bucket may end between the two instants, so allow at least two.
  const width = bucketWidth(firstUs, lastUs, Math.max(bucketsMax, 2))
  const counted = new Map(
    (await workspace.traces.histogram(traceFilters, width)).map((bucket) => [bucket.startUs, bucket]),
  )
  const buckets = []
  for (let startUs = bucketStart(firstUs, width); startUs <= lastUs; startUs += width) {
    const { traces = 0, failed = 0, cost = null } = counted.get(startUs) ?? {}
    buckets.push({ time: writeTimestamp(startUs), traces, failed, cost })
  }
  return { widthMs: Number(width / 1000n), buckets }
}
