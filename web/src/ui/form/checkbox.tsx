/** Yes or no: a box in forms and rows, a switch for what takes effect at once. */
import { Checkbox as Base } from '@base-ui/react/checkbox'
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'

interface CheckboxProps {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  /** Some of several are chosen. */
  readonly isMixed?: boolean
  readonly disabled?: boolean
}

/** A bare box; `label` is its accessible name. */
export function CheckBox({
  isChecked,
  onChange,
  isMixed = false,
  disabled,
  label,
}: CheckboxProps & { readonly label: string }) {
  return (
    <Base.Root
      aria-label={label}
      checked={isChecked}
      indeterminate={isMixed}
      disabled={disabled}
      onCheckedChange={onChange}
      className="grid size-4 shrink-0 place-items-center rounded-sm border border-line-control bg-surface data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50 data-indeterminate:border-accent data-indeterminate:bg-accent"
    >
      <Base.Indicator className="text-on-accent">
        {isMixed ? (
          <Minus aria-hidden size={12} strokeWidth={3} />
        ) : (
          <Check aria-hidden size={12} strokeWidth={3} />
        )}
      </Base.Indicator>
    </Base.Root>
  )
}

interface LabelledProps extends CheckboxProps {
  readonly label: string
  readonly hint?: ReactNode
}

/** A box with its label, and a line that explains it. */
export function LabelledCheckbox({ label, hint, ...rest }: LabelledProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: The box inside is the control; it is no native element.
    <label className="flex items-start gap-2 text-sm">
      <span className="mt-0.5">
        <CheckBox label={label} {...rest} />
      </span>
      <span>
        {label}
        {hint !== undefined && <span className="block text-xs text-ink-3">{hint}</span>}
      </span>
    </label>
  )
}

export function Switch({ label, isChecked, onChange, disabled }: Omit<LabelledProps, 'hint' | 'isMixed'>) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: The switch inside is the control; it is no native element.
    <label className="flex items-center gap-2 text-sm">
      <BaseSwitch.Root
        aria-label={label}
        checked={isChecked}
        onCheckedChange={onChange}
        disabled={disabled}
        className="flex h-5 w-9 shrink-0 rounded-full border border-line-control bg-sunken p-0.5 transition-colors data-checked:border-accent data-checked:bg-accent"
      >
        <BaseSwitch.Thumb className="size-3.5 rounded-full bg-ink-3 transition-transform data-checked:translate-x-4 data-checked:bg-on-accent" />
      </BaseSwitch.Root>
      {label}
    </label>
  )
}
