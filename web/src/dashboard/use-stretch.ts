import { useMemo } from 'react'
import type { Range } from '../app/range/range.ts'
import { useTimeZone } from '../ui/text/values.tsx'
import { type Stretch, stretchOf } from './buckets.ts'

/** The selected range with its end, and its chart buckets. */
export function useStretch(range: Range): Stretch {
  const timeZone = useTimeZone()
  return useMemo(() => stretchOf(range, new Date(), timeZone), [range, timeZone])
}
