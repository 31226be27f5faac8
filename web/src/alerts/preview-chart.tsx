/** The values that a rule would have measured, its threshold, and when it would have fired. */
import type { AlertMeasure } from '@plumbline/sdk'
import { useMemo } from 'react'
import type { Output } from '../app/api.ts'
import { TimeChart } from '../ui/charts/time-chart.tsx'
import { measures } from './measures.ts'

type Preview = Output<'alerts.preview'>

interface PreviewChartProps {
  readonly preview: Preview
  readonly rule: {
    readonly measure: AlertMeasure
    readonly threshold: number
    readonly recoveryThreshold: number | null
  }
  readonly height?: number
  readonly onZoom?: (start: Date, end: Date) => void
}

export function PreviewChart({ preview, rule, height = 220, onZoom }: PreviewChartProps) {
  const { points, firings } = preview
  const { measure, threshold, recoveryThreshold } = rule
  const { label, format } = measures[measure]
  const times = useMemo(() => points.map(({ at: time }) => new Date(time)), [points])
  const series = useMemo(
    () => [{ key: measure, label, color: 1 as const, values: points.map(({ value }) => value) }],
    [points, measure, label],
  )
  const levels = useMemo(
    () => [
      { value: threshold, color: 'bad' as const },
      ...(recoveryThreshold === null ? [] : [{ value: recoveryThreshold, color: 'good' as const }]),
    ],
    [threshold, recoveryThreshold],
  )
  const last = times.at(-1)
  const shaded = useMemo(
    () =>
      firings.map(({ from, to }) => ({
        from: new Date(from),
        to: to === null ? (last ?? new Date(from)) : new Date(to),
      })),
    [firings, last],
  )
  return (
    <figure className="flex flex-col gap-2">
      <TimeChart
        label={`${preview.summary}: past values, and when the alert would have fired`}
        kind="lines"
        height={height}
        times={times}
        series={series}
        format={format}
        levels={levels}
        bands={shaded}
        {...(onZoom && { onZoom })}
      />
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 pl-13 text-xs text-ink-2">
        <Legend className="w-3 border-t-2 border-chart-1" label={label} />
        <Legend className="w-3 border-t border-dashed border-bad" label={`Threshold ${format(threshold)}`} />
        {recoveryThreshold !== null && (
          <Legend
            className="w-3 border-t border-dashed border-good"
            label={`Recovers at ${format(recoveryThreshold)}`}
          />
        )}
        {firings.length > 0 && <Legend className="size-3 bg-bad-surface" label="Would have fired" />}
      </figcaption>
    </figure>
  )
}

const Legend = ({ className, label }: { readonly className: string; readonly label: string }) => (
  <span className="flex items-center gap-1.5">
    <span aria-hidden className={className} />
    {label}
  </span>
)
