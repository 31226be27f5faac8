import { classNames } from '../ui/class-names.ts'
import { formatDelta, type Judgement } from './measures.ts'

interface IntervalBarProps {
  readonly measure: string
  readonly low: number
  readonly mean: number
  readonly high: number
  /** The value at both edges, on either side of 0. */
  readonly reach: number
  readonly judgement: Judgement
}

const fills: Readonly<Record<Judgement, string>> = {
  better: 'bg-good',
  worse: 'bg-bad',
  unclear: 'bg-ink-3',
}

/** The mean difference with its 95% interval, around the line of no difference. */
export function IntervalBar({ measure, low, mean, high, reach, judgement }: IntervalBarProps) {
  const positionOf = (value: number): number => 50 + (reach === 0 ? 0 : (value / reach) * 48)
  const label = `${formatDelta(measure, mean)}, 95% interval ${formatDelta(measure, low)} to ${formatDelta(measure, high)}`
  return (
    <div role="img" aria-label={label} title={label} className="relative h-4 w-full min-w-12">
      <span className="absolute inset-x-0 top-1/2 border-t border-line" />
      <span className="absolute inset-y-0 left-1/2 border-l border-line-strong" />
      <span
        className={classNames(
          'absolute top-1/2 h-1 -translate-y-1/2 rounded-sm opacity-50',
          fills[judgement],
        )}
        style={{ left: `${positionOf(low)}%`, width: `max(2px, ${positionOf(high) - positionOf(low)}%)` }}
      />
      <span
        className={classNames('absolute top-1/2 h-3 w-0.5 -translate-1/2', fills[judgement])}
        style={{ left: `${positionOf(mean)}%` }}
      />
    </div>
  )
}
