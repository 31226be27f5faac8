import { useMemo } from 'react'
import { trendsOf } from './trends.ts'
import { useScoreMetrics } from './use-score-metrics.ts'

/** The trends of all scores within the selected range, by name. */
export function useTrends() {
  const { query, steps } = useScoreMetrics({
    measures: 'scores,avgScore',
    dimensions: 'scoreName',
  })
  const rows = query.data?.rows
  const trends = useMemo(() => rows && trendsOf(rows, steps), [rows, steps])
  return { ...query, trends }
}
