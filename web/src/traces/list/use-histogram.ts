import { type Output, useRead } from '../../app/api.ts'
import { useTimeZone } from '../../ui/text/values.tsx'
import type { TraceQuery } from './use-trace-query.ts'

const bucketsMax = 90

/** The matching traces over time; several readers share one request. */
export function useHistogram({ filter, scope, end }: TraceQuery): Output<'traces.histogram'> | undefined {
  const timeZone = useTimeZone()
  return useRead('traces.histogram', {
    ...filter,
    from: scope.from,
    to: end.toISOString(),
    // The list includes traces from clocks that are ahead, and traces started since.
    ...(scope.to === undefined && { includesLater: true }),
    buckets: bucketsMax,
    timeZone,
  }).data
}

export const tracesOf = (histogram: Output<'traces.histogram'>): number =>
  histogram.buckets.reduce((sum, { traces }) => sum + traces, 0)
