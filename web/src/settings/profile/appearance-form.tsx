import { type Density, type Theme, useDensity, useTheme } from '../../app/preferences.ts'
import { Switch } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { useUtc } from '../../ui/text/values.tsx'

const themes: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

const densities: readonly { readonly value: Density; readonly label: string }[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
]

/** The appearance settings of this device. */
export function AppearanceForm() {
  const [theme, setTheme] = useTheme()
  const [density, setDensity] = useDensity()
  const [isUtc, setUtc] = useUtc()
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-4">
        <Field label="Theme">
          <Select choices={themes} value={theme} onChange={setTheme} />
        </Field>
        <Field label="Rows">
          <Select choices={densities} value={density} onChange={setDensity} />
        </Field>
      </div>
      <Switch label="Show times in UTC" isChecked={isUtc} onChange={setUtc} />
    </div>
  )
}
