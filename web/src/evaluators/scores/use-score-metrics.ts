import type { Input } from '../../app/api.ts'
import { useRead } from '../../app/api.ts'
import { rangeInput, useRange } from '../../app/range/use-range.ts'
import { useNow } from '../../ui/text/values.tsx'
import { stepFor } from './trends.ts'

/** Measures of scores over time within the selected range, and the steps that it was cut into. */
export function useScoreMetrics(input: Pick<Input<'metrics.query'>, 'measures' | 'dimensions'>) {
  const { range } = useRange()
  const now = useNow()
  const minute = Math.floor(now.getTime() / 60_000)
  const to = range.to ?? new Date(minute * 60_000)
  const step = stepFor(range.from, to)
  const query = useRead('metrics.query', { ...input, granularity: step, ...rangeInput(range) })
  return { query, from: range.from, toMs: to.getTime(), step }
}
