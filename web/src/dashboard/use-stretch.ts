import { useMemo } from 'react'
import type { Range } from '../app/range/range.ts'
import { bucketStarts, granularityFor } from './buckets.ts'

/** The selected range with its end, and the buckets that charts over it have. */
export const useStretch = (range: Range) => useMemo(() => stretchOf(range, new Date()), [range])

/** Pure. Today ends now, and not at midnight: the period before is as long as what has passed of it. */
export function stretchOf({ from, to: end }: Range, now: Date) {
  const minuteEnd = endOfMinute(now)
  const isUnderWay = end === undefined || (from < now && end > minuteEnd)
  const to = isUnderWay ? minuteEnd : end
  const granularity = granularityFor(from, to)
  return { from, to, granularity, times: bucketStarts(from, to, granularity) }
}

/** What began in this minute is in it. */
const endOfMinute = (now: Date): Date => new Date((Math.floor(now.getTime() / 60_000) + 1) * 60_000)
