import type { CSSProperties } from 'react'
import { Field, Input } from '../ui/field.tsx'
import { formatPercent } from '../ui/format.ts'
import { offeredShares, readPercent, writePercent } from './rollout-rules.ts'

/** The browser's own track is white in a dark page. */
const sliderClass =
  'h-1.5 min-w-40 flex-1 cursor-pointer appearance-none rounded-full bg-[linear-gradient(to_right,var(--accent)_var(--filled),var(--line-control)_var(--filled))] [&::-moz-range-thumb]:size-4 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-accent [&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-accent'

interface ShareFieldProps {
  /** In percent, as it is typed. */
  readonly text: string
  readonly onChange: (text: string) => void
}

/** To how many the candidate is served: by a slider, by a number, or by one of the steps that one takes. */
export function ShareField({ text, onChange }: ShareFieldProps) {
  const share = readPercent(text)
  return (
    <Field
      label="Percentage of users"
      problem={share === undefined ? 'Enter a number from 0 to 100.' : undefined}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <input
          type="range"
          aria-label="Percentage"
          min={0}
          max={100}
          step={1}
          value={(share ?? 0) * 100}
          aria-valuetext={formatPercent(share ?? 0)}
          onChange={(event) => onChange(event.currentTarget.value)}
          style={{ '--filled': `${(share ?? 0) * 100}%` } as CSSProperties}
          className={sliderClass}
        />
        <Input
          inputMode="decimal"
          maxLength={8}
          className="w-20! numbers text-right"
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <span className="flex flex-wrap gap-1">
          {offeredShares.map((offered) => (
            <button
              key={offered}
              type="button"
              aria-pressed={offered === share}
              onClick={() => onChange(writePercent(offered))}
              className="numbers h-7 min-w-7 rounded-sm px-1.5 text-xs text-ink-2 hover:bg-hover aria-pressed:bg-selected aria-pressed:text-accent-ink"
            >
              {formatPercent(offered)}
            </button>
          ))}
        </span>
      </div>
    </Field>
  )
}
