/** A number that, while pressed, filters the list below it. */
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Skeleton } from '../skeleton.tsx'
import { Count } from '../text/values.tsx'

interface CountTileProps {
  readonly label: ReactNode
  readonly title?: string | undefined
  /** Undefined while loading. */
  readonly count: number | undefined
  readonly hint?: ReactNode
  readonly isBad?: boolean
  readonly isPressed: boolean
  readonly onPress: () => void
}

export function CountTile({ label, title, count, hint, isBad = false, isPressed, onPress }: CountTileProps) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      onClick={onPress}
      className={classNames(
        'min-w-0 rounded border px-3 py-2 text-left hover:bg-hover',
        isPressed ? 'border-accent bg-selected' : 'border-line',
      )}
    >
      <span className="block text-xs text-ink-3" title={title}>
        {label}
      </span>
      <span className={classNames(figureClass, isBad && 'text-bad')}>
        {count === undefined ? <Skeleton className="h-5 w-12" /> : <Count value={count} />}
      </span>
      {hint !== undefined && <span className="block h-4 truncate text-2xs text-ink-3">{hint}</span>}
    </button>
  )
}

const figureClass = 'flex h-7 items-center text-lg font-semibold [&_.numbers]:font-sans [&_.numbers]:text-lg'

interface ValueTileProps {
  readonly label: ReactNode
  readonly title?: string | undefined
  readonly hint?: ReactNode
  readonly children: ReactNode
}

/** A figure beside such tiles that does not filter. */
export const ValueTile = ({ label, title, hint, children }: ValueTileProps) => (
  <div className="min-w-0 rounded border border-line px-3 py-2">
    <span className="block text-xs text-ink-3" title={title}>
      {label}
    </span>
    <span className={figureClass}>{children}</span>
    {hint !== undefined && <span className="block h-4 truncate text-2xs text-ink-3">{hint}</span>}
  </div>
)
