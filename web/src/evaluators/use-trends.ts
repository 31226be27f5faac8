import { useMemo } from 'react'
import { useRead } from '../app/api.ts'
import { rangeInput, useRange } from '../app/use-range.ts'
import { useNow } from '../ui/values.tsx'
import { stepFor, trendsOf } from './trends.ts'

/** The courses of all scores within the page's range, by their names. */
export function useTrends() {
  const { range } = useRange()
  const now = useNow()
  const minute = Math.floor(now.getTime() / 60_000)
  const to = range.to ?? new Date(minute * 60_000)
  const step = stepFor(range.from, to)
  const query = useRead('metrics.query', {
    measures: 'scores,avgScore',
    dimensions: 'scoreName',
    granularity: step,
    ...rangeInput(range),
  })
  const rows = query.data?.rows
  const toMs = to.getTime()
  const trends = useMemo(
    () => rows && trendsOf(rows, range.from, new Date(toMs), step),
    [rows, range.from, toMs, step],
  )
  return { ...query, trends }
}
