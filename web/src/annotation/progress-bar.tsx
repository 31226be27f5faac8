import { formatCount } from '../ui/text/format.ts'

interface ProgressBarProps {
  readonly done: number
  readonly total: number
  readonly label: string
}

/** A progress bar with its numbers beside it. */
export function ProgressBar({ done, total, label }: ProgressBarProps) {
  const share = total === 0 ? 0 : done / total
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span
        role="progressbar"
        aria-label={label}
        aria-valuenow={done}
        aria-valuemin={0}
        aria-valuemax={total}
        className="h-1.5 w-24 min-w-8 shrink overflow-hidden rounded-full bg-hover"
      >
        <span
          className={share === 1 ? 'block h-full bg-good' : 'block h-full bg-accent'}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      <span className="numbers shrink-0 text-xs whitespace-nowrap text-ink-2">
        {formatCount(done)} of {formatCount(total)}
      </span>
    </span>
  )
}
