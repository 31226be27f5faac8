import type { FieldPathByValue, FieldValues } from 'react-hook-form'
import { TextField } from '../ui/form/fields.tsx'
import type { Form } from '../ui/form/use-form.ts'

interface FolderFieldProps<Values extends FieldValues, Name extends FieldPathByValue<Values, string>> {
  readonly form: Form<Values>
  readonly name: Name
}

/** The folder of a prompt; an unused path creates a new folder. */
export const FolderField = <Values extends FieldValues, Name extends FieldPathByValue<Values, string>>({
  form,
  name,
}: FolderFieldProps<Values, Name>) => (
  <TextField
    form={form}
    name={name}
    label="Folder"
    hint="Optional. Use slashes for nested folders."
    placeholder="support/refunds"
  />
)
