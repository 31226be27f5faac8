import { useMemo } from 'react'
import { useRead } from '../app/api.ts'
import { rangeInput, useRange } from '../app/use-range.ts'
import { useNow } from '../ui/values.tsx'
import { judgingOf } from './judging.ts'
import { stepFor } from './trends.ts'

/** The scores of an evaluator within the page's range: by version over time, and what they cost. */
export function useJudging(slug: string) {
  const { range } = useRange()
  const now = useNow()
  const minute = Math.floor(now.getTime() / 60_000)
  const to = range.to ?? new Date(minute * 60_000)
  const step = stepFor(range.from, to)
  const query = useRead('metrics.query', {
    measures: 'scores,avgScore,scoreCost',
    dimensions: 'scoreName,evaluatorVersion',
    granularity: step,
    ...rangeInput(range),
  })
  const rows = query.data?.rows
  const toMs = to.getTime()
  const judging = useMemo(
    () => rows && judgingOf(rows, slug, { from: range.from, to: new Date(toMs), step }),
    [rows, slug, range.from, toMs, step],
  )
  return { ...query, judging }
}
