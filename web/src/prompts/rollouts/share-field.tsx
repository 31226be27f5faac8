import type { ComponentProps, CSSProperties } from 'react'
import type { FieldPathByValue, FieldValues } from 'react-hook-form'
import { CustomField } from '../../ui/form/fields.tsx'
import { NumberInput } from '../../ui/form/number-input.tsx'
import type { Form } from '../../ui/form/use-form.ts'
import { formatPercent } from '../../ui/text/format.ts'
import { offeredShares } from './rollout-rules.ts'

/** The browser's own track is white in the dark theme. */
const sliderClass =
  'h-1.5 min-w-40 flex-1 cursor-pointer appearance-none rounded-full bg-[linear-gradient(to_right,var(--accent)_var(--filled),var(--line-control)_var(--filled))] [&::-moz-range-thumb]:size-4 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-accent [&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-accent'

interface WithShare extends FieldValues {
  readonly share: number | undefined
}

interface ShareFieldProps<Values extends WithShare> {
  readonly form: Form<Values>
}

/** The percentage of users that get the candidate: a slider, a number field, and presets. */
export function ShareField<Values extends WithShare>({ form }: ShareFieldProps<Values>) {
  // Safe: the values include a share.
  const name = 'share' as FieldPathByValue<Values, number | undefined>
  return (
    <CustomField form={form} name={name} label="Percentage of users">
      {({ value, onChange, ...control }) => <ShareControl share={value} onChange={onChange} {...control} />}
    </CustomField>
  )
}

interface ShareControlProps extends Pick<ComponentProps<'input'>, 'ref' | 'onBlur' | 'name'> {
  readonly share: number | undefined
  readonly onChange: (share: number | undefined) => void
}

function ShareControl({ share, onChange, ...control }: ShareControlProps) {
  const filled = Math.min(1, Math.max(0, share || 0))
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <input
        type="range"
        aria-label="Percentage"
        min={0}
        max={100}
        step={1}
        value={filled * 100}
        aria-valuetext={formatPercent(filled)}
        onChange={(event) => onChange(Number(event.currentTarget.value) / 100)}
        style={{ '--filled': `${filled * 100}%` } as CSSProperties}
        className={sliderClass}
      />
      <NumberInput
        {...control}
        scale={100}
        maxLength={8}
        className="w-20! numbers text-right"
        value={share}
        onChange={onChange}
      />
      <span className="flex flex-wrap gap-1">
        {offeredShares.map((option) => (
          <button
            key={option}
            type="button"
            aria-pressed={option === share}
            onClick={() => onChange(option)}
            className="numbers h-7 min-w-7 rounded-sm px-1.5 text-xs text-ink-2 hover:bg-hover aria-pressed:bg-selected aria-pressed:text-accent-ink"
          >
            {formatPercent(option)}
          </button>
        ))}
      </span>
    </div>
  )
}
