import { bucketEnd, bucketStart, bucketWidths } from '@plumbline/sdk/time-buckets'
import { useMemo } from 'react'
import { useRead } from '../app/api.ts'
import { useNow, useTimeZone } from '../ui/text/values.tsx'
import { startingValues } from './starting-points.ts'

const dayMs = 86_400_000
const days = 7

/** The form values of the templates; undefined while the figures of the last days load. */
export function useStartingPoints({ enabled = true } = {}) {
  const timeZone = useTimeZone()
  const today = bucketStart(useNow().getTime(), bucketWidths.day, timeZone)
  const range = useMemo(() => {
    const first = bucketStart(today - (days - 0.5) * dayMs, bucketWidths.day, timeZone)
    const end = bucketEnd(today, bucketWidths.day, timeZone)
    return { from: new Date(first).toISOString(), to: new Date(end).toISOString() }
  }, [today, timeZone])
  const byDay = useRead(
    'metrics.query',
    { measures: 'cost', granularity: 'day', timeZone, ...range },
    { enabled },
  )
  const inAll = useRead('metrics.query', { measures: 'p95DurationMs', ...range }, { enabled })
  const scores = useRead(
    'metrics.query',
    { measures: 'scores,avgScore', dimensions: 'scoreName', ...range },
    { enabled },
  )
  const [costs, totals, names] = [byDay.data?.rows, inAll.data?.rows, scores.data?.rows]
  const isAnswered = !byDay.isPending && !inAll.isPending && !scores.isPending
  return useMemo(() => {
    if (!isAnswered) return undefined
    const options = (names ?? [])
      .flatMap(({ scoreName, scores: count, avgScore }) =>
        typeof scoreName === 'string' && typeof avgScore === 'number'
          ? [{ name: scoreName, mean: avgScore, count: Number(count) }]
          : [],
      )
      .sort((a, b) => b.count - a.count)
    const p95 = totals?.[0]?.p95DurationMs
    return startingValues({
      costOfDay: Math.max(0, ...(costs ?? []).map(({ cost }) => Number(cost ?? 0))),
      p95DurationMs: typeof p95 === 'number' ? p95 : null,
      score: options[0],
    })
  }, [isAnswered, costs, totals, names])
}
