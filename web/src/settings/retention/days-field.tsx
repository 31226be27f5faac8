import { Field, Input } from '../../ui/form/field.tsx'
import { isDays } from './retention-rules.ts'

interface DaysFieldProps {
  readonly label: string
  /** Empty for the default. */
  readonly days: string
  /** A description of the default. */
  readonly placeholder?: string
  readonly isEditable: boolean
  readonly onChange: (days: string) => void
}

/** A number of days. */
export function DaysField({ label, days, placeholder = 'Forever', isEditable, onChange }: DaysFieldProps) {
  return (
    <Field
      label={label}
      problem={isDays(days) ? undefined : 'Enter a whole number from 1 to 36500, or leave it empty.'}
    >
      <Input
        inputMode="numeric"
        value={days}
        placeholder={placeholder}
        disabled={!isEditable}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
    </Field>
  )
}
