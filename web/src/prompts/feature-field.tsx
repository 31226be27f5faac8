import { useRead } from '../app/api.ts'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'

interface FeatureFieldProps {
  /** Undefined for none. */
  readonly value: string | undefined
  readonly onChange: (slug: string | undefined) => void
}

const none = ''

/** The feature that a prompt belongs to; absent where the workspace has no features. */
export function FeatureField({ value, onChange }: FeatureFieldProps) {
  const features = useRead('features.list', {}).data?.features ?? []
  if (features.length === 0) return null
  return (
    <Field label="Feature">
      <Select
        value={value ?? none}
        onChange={(slug) => onChange(slug === none ? undefined : slug)}
        choices={[
          { value: none, label: 'None' },
          ...features.map(({ slug, name }) => ({ value: slug, label: name, hint: slug })),
        ]}
      />
    </Field>
  )
}
