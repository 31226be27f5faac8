/** A ranking with bars: by model, by user, by reason. */
import type { ReactNode } from 'react'
import { type ChartColor, colorToken } from './chart-data.ts'

export interface Bar {
  readonly key: string
  readonly label: ReactNode
  readonly value: number
}

interface BarListProps {
  readonly label: string
  readonly bars: readonly Bar[]
  readonly format: (value: number) => string
  readonly color?: ChartColor
  readonly onPick?: (key: string) => void
}

export function BarList({ label, bars, format, color = 1, onPick }: BarListProps) {
  const max = Math.max(...bars.map(({ value }) => value), 0)
  return (
    <ul aria-label={label} className="flex flex-col gap-1">
      {bars.map((bar) => {
        const inner = (
          <>
            <span
              aria-hidden
              className="absolute inset-y-0 left-0 rounded-sm opacity-20"
              style={{
                width: `${max === 0 ? 0 : Math.max(1, (bar.value / max) * 100)}%`,
                background: `var(${colorToken(color, 0)})`,
              }}
            />
            <span className="relative min-w-0 flex-1 truncate text-left">{bar.label}</span>
            <span className="numbers relative">{format(bar.value)}</span>
          </>
        )
        const className = 'relative flex h-7 w-full items-center gap-2 rounded-sm px-2 text-sm'
        return (
          <li key={bar.key}>
            {onPick ? (
              <button type="button" onClick={() => onPick(bar.key)} className={`${className} hover:bg-hover`}>
                {inner}
              </button>
            ) : (
              <div className={className}>{inner}</div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
