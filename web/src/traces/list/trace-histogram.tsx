import { useMemo } from 'react'
import { TimeChart } from '../../ui/charts/time-chart.tsx'
import { formatCount } from '../../ui/text/format.ts'
import { snappedRange } from './snapped-range.ts'
import { tracesOf, useHistogram } from './use-histogram.ts'
import type { TraceQuery } from './use-trace-query.ts'

const heightPx = 80

/** The listed traces over time; a drag selects the range. */
export function TraceHistogram({ query }: { readonly query: TraceQuery }) {
  const { setRange } = query
  const data = useHistogram(query)
  const times = useMemo(() => (data?.buckets ?? []).map(({ time }) => new Date(time)), [data])
  const series = useMemo(
    () => [
      {
        key: 'passed',
        label: 'Without errors',
        color: 'accent' as const,
        values: (data?.buckets ?? []).map(({ traces, failed }) => traces - failed),
      },
      {
        key: 'failed',
        label: 'Failed',
        color: 'bad' as const,
        values: (data?.buckets ?? []).map(({ failed }) => failed),
      },
    ],
    [data],
  )
  const total = data === undefined ? 0 : tracesOf(data)
  // Buckets with a clock change are longer or shorter than the others.
  const endOf = (start: Date): Date =>
    times.find((time) => time > start) ?? new Date(data?.end ?? start.getTime() + (data?.widthMs ?? 0))
  return (
    <section aria-label="Over time" className="relative shrink-0 border-b border-line px-4 pt-4">
      <p className="absolute top-1 right-4 z-1 text-2xs text-ink-3" role="status">
        {data === undefined ? '' : `${formatCount(total)} ${total === 1 ? 'trace' : 'traces'}`}
      </p>
      {data === undefined ? (
        // Without buckets the axis would show 1970.
        <div style={{ height: heightPx }} />
      ) : (
        <TimeChart
          label="Traces over time, successful and failed"
          kind="bars"
          height={heightPx}
          isStrip
          times={times}
          series={series}
          onZoom={(start, end) => setRange(snappedRange(start, end, times, endOf))}
          onPick={(time) => setRange([time, endOf(time)])}
        />
      )}
    </section>
  )
}
