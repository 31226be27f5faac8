import { useMemo } from 'react'
import { judgingOf } from './judging.ts'
import { useScoreMetrics } from './scores/use-score-metrics.ts'

/** The scores of an evaluator within the selected range: by version over time, and their cost. */
export function useJudging(slug: string) {
  const { query, steps } = useScoreMetrics({
    measures: 'scores,avgScore,scoreCost',
    dimensions: 'scoreName,evaluatorVersion',
  })
  const rows = query.data?.rows
  const judging = useMemo(() => rows && judgingOf(rows, slug, steps), [rows, slug, steps])
  return { ...query, judging }
}
