import type { FieldPathByValue, FieldValues } from 'react-hook-form'
import { useRead } from '../app/api.ts'
import { CustomField } from '../ui/form/fields.tsx'
import { Select } from '../ui/form/select.tsx'
import type { Form } from '../ui/form/use-form.ts'

interface FeatureFieldProps<Values extends FieldValues, Name extends FieldPathByValue<Values, string>> {
  readonly form: Form<Values>
  /** The slug of the feature; empty for none. */
  readonly name: Name
}

/** The feature of a prompt; absent if the workspace has no features. */
export function FeatureField<Values extends FieldValues, Name extends FieldPathByValue<Values, string>>({
  form,
  name,
}: FeatureFieldProps<Values, Name>) {
  const features = useRead('features.list', {}).data?.features ?? []
  if (features.length === 0) return null
  const choices = features.map((feature) => ({
    value: feature.slug,
    label: feature.name,
    hint: feature.slug,
  }))
  return (
    <CustomField form={form} name={name} label="Feature">
      {({ value, onChange }) => (
        <Select value={value} onChange={onChange} choices={[{ value: '', label: 'None' }, ...choices]} />
      )}
    </CustomField>
  )
}
