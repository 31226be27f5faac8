import type { operations } from '@plumbline/contract'
import { writeTimestamp } from '../monitor/timestamp.ts'
import type { Verb } from '../verb.ts'
import { bucketStart, bucketWidth } from './bucket-width.ts'
import { readFilters } from './filters.ts'

export const histogram: Verb<typeof operations.traces.histogram> = async (
  { buckets: most = 60, ...filters },
  { workspace },
) => {
  const wanted = readFilters(filters)
  const starts = await workspace.traces.starts(wanted)
  const firstUs = wanted.fromUs ?? starts?.firstUs
  const lastUs = wanted.toUs === undefined ? starts?.lastUs : wanted.toUs - 1n
  if (firstUs === undefined || lastUs === undefined || lastUs < firstUs) return { widthMs: 0, buckets: [] }
  // One stretch covers every instant only where it holds both; else two are needed at least.
  const width = bucketWidth(firstUs, lastUs, Math.max(most, 2))
  const counted = new Map(
    (await workspace.traces.histogram(wanted, width)).map((bucket) => [bucket.startUs, bucket]),
  )
  const buckets = []
  for (let at = bucketStart(firstUs, width); at <= lastUs; at += width) {
    const { traces = 0, failed = 0, cost = null } = counted.get(at) ?? {}
    buckets.push({ time: writeTimestamp(at), traces, failed, cost })
  }
  return { widthMs: Number(width / 1000n), buckets }
}
