import { CircleAlert } from 'lucide-react'
import { classNames } from '../class-names.ts'

interface MeterProps {
  readonly label: string
  readonly value: number
  readonly max: number
  readonly format: (value: number) => string
  /** The full details, shown on hover. */
  readonly title: string
}

/** The use of a limit, as a bar with its numbers beside it; it warns once the limit is reached. */
export function Meter({ label, value, max, format, title }: MeterProps) {
  const isFull = value >= max
  const text = `${format(value)} of ${format(max)}`
  return (
    <span className="flex min-w-0 items-center gap-2" title={title}>
      {/* Browsers render the native meter differently, so it is only for screen readers. */}
      <meter
        aria-label={label}
        aria-valuetext={isFull ? `${text}: limit reached` : text}
        value={value}
        max={max}
        className="sr-only"
      />
      <span aria-hidden className="h-1.5 w-12 shrink-0 overflow-hidden rounded-full bg-hover">
        <span
          className={classNames('block h-full', isFull ? 'bg-warn' : 'bg-accent')}
          style={{ width: `${isFull ? 100 : (value / max) * 100}%` }}
        />
      </span>
      <span
        className={classNames(
          'numbers flex min-w-0 items-center gap-1 text-xs',
          isFull ? 'text-warn' : 'text-ink-2',
        )}
      >
        <span className="truncate">{text}</span>
        {isFull && <CircleAlert aria-hidden size={14} className="shrink-0" />}
      </span>
    </span>
  )
}
