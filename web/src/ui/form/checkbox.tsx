/** Yes or no: a checkbox in forms and rows, a switch for settings that take effect at once. */
import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'

interface CheckboxProps {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  /** Some of several are selected. */
  readonly isMixed?: boolean
  readonly disabled?: boolean
}

/** A bare box; `label` is its accessible name. A button, so that the screen's shortcuts work while it has the focus. */
export function CheckBox({
  isChecked,
  onChange,
  isMixed = false,
  disabled,
  label,
}: CheckboxProps & { readonly label: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: The screen's shortcuts are inactive while an input has the focus.
    <button
      type="button"
      role="checkbox"
      aria-label={label}
      aria-checked={isMixed ? 'mixed' : isChecked}
      disabled={disabled}
      onClick={() => onChange(!isChecked)}
      className="grid size-4 shrink-0 place-items-center rounded-sm border border-line-control bg-surface text-on-accent disabled:opacity-50 aria-checked:border-accent aria-checked:bg-accent aria-[checked=mixed]:border-accent aria-[checked=mixed]:bg-accent"
    >
      {isMixed ? (
        <Minus aria-hidden size={12} strokeWidth={3} />
      ) : (
        isChecked && <Check aria-hidden size={12} strokeWidth={3} />
      )}
    </button>
  )
}

interface LabelledProps extends CheckboxProps {
  readonly label: string
  readonly hint?: ReactNode
}

/** A box with its label, and a line that explains it. */
export function LabelledCheckbox({ label, hint, ...rest }: LabelledProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: The box inside is the control.
    <label className="flex items-start gap-2 text-sm">
      <span className="mt-0.5">
        <CheckBox label={label} {...rest} />
      </span>
      <span className="min-w-0 wrap-anywhere">
        {label}
        {hint !== undefined && <span className="block text-xs text-ink-3">{hint}</span>}
      </span>
    </label>
  )
}

export function Switch({ label, isChecked, onChange, disabled }: Omit<LabelledProps, 'hint' | 'isMixed'>) {
  return (
    <label className="flex items-center gap-2 text-sm">
      <button
        type="button"
        role="switch"
        aria-label={label}
        aria-checked={isChecked}
        disabled={disabled}
        onClick={() => onChange(!isChecked)}
        className="group/switch flex h-5 w-9 shrink-0 rounded-full border border-line-control bg-sunken p-0.5 transition-colors disabled:opacity-50 aria-checked:border-accent aria-checked:bg-accent"
      >
        <span className="size-3.5 rounded-full bg-ink-3 transition-transform group-aria-checked/switch:translate-x-4 group-aria-checked/switch:bg-on-accent" />
      </button>
      {label}
    </label>
  )
}
