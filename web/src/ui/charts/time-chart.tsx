/** Values over time. uPlot is a separate chunk: the chart's space is reserved until it has loaded. */
import { lazy, Suspense } from 'react'
import type { TimePlotProps } from './time-plot.tsx'

const TimePlot = lazy(async () => ({ default: (await import('./time-plot.tsx')).TimePlot }))

export function TimeChart({ height = 160, ...props }: TimePlotProps) {
  return (
    <Suspense fallback={<div style={{ height }} />}>
      <TimePlot height={height} {...props} />
    </Suspense>
  )
}
