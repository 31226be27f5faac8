import { useMemo } from 'react'
import type { Range } from '../app/range/range.ts'
import { bucketStarts, granularityFor } from './buckets.ts'

/** The selected range with its end, and the buckets that charts over it have. */
export const useStretch = (range: Range) =>
  useMemo(() => {
    const to = range.to ?? endOfMinute()
    const granularity = granularityFor(range.from, to)
    return { from: range.from, to, granularity, times: bucketStarts(range.from, to, granularity) }
  }, [range])

/** What began in this minute is in it. */
const endOfMinute = (): Date => new Date((Math.floor(Date.now() / 60_000) + 1) * 60_000)
