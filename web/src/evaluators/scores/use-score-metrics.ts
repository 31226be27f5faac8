import { useMemo } from 'react'
import type { Input } from '../../app/api.ts'
import { useRead } from '../../app/api.ts'
import { rangeInput, useRange } from '../../app/range/use-range.ts'
import { useNow, useTimeZone } from '../../ui/text/values.tsx'
import { type Steps, stepFor } from './trends.ts'

/** Score measures over time within the selected range, and its time steps. */
export function useScoreMetrics(input: Pick<Input<'metrics.query'>, 'measures' | 'dimensions'>) {
  const { range } = useRange()
  const timeZone = useTimeZone()
  const now = useNow()
  const minute = Math.floor(now.getTime() / 60_000)
  const steps = useMemo<Steps>(() => {
    const to = range.to ?? new Date(minute * 60_000)
    return { from: range.from, to, step: stepFor(range.from, to), timeZone }
  }, [range, minute, timeZone])
  const query = useRead('metrics.query', {
    ...input,
    granularity: steps.step,
    timeZone,
    ...rangeInput(range),
  })
  return { query, steps }
}
