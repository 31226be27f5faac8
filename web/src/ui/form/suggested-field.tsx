import { type ReactNode, useEffect, useState } from 'react'
import { type FieldPathByValue, type FieldValues, type PathValue, useWatch } from 'react-hook-form'
import { Input } from './field.tsx'
import { CustomField } from './fields.tsx'
import { slugOf } from './slug-of.ts'
import type { Form } from './use-form.ts'

interface SlugFieldProps<Values extends FieldValues, Name extends FieldPathByValue<Values, string>> {
  readonly form: Form<Values>
  readonly name: Name
  /** The field whose value suggests this one, until this one is edited. */
  readonly from: Name
  readonly hint?: ReactNode
}

interface SuggestedFieldProps<Values extends FieldValues, Name extends FieldPathByValue<Values, string>>
  extends SlugFieldProps<Values, Name> {
  readonly label: string
  readonly suggest: (source: string) => string
  readonly className?: string
}

export const SlugField = <Values extends FieldValues, Name extends FieldPathByValue<Values, string>>(
  props: SlugFieldProps<Values, Name>,
) => <SuggestedField {...props} label="Slug" suggest={slugOf} className="font-mono" />

/** A text that follows another field until it is edited. */
export function SuggestedField<Values extends FieldValues, Name extends FieldPathByValue<Values, string>>({
  form,
  name,
  from,
  suggest,
  className,
  ...labels
}: SuggestedFieldProps<Values, Name>) {
  const [isTyped, setTyped] = useState(form.getValues(name) !== '')
  const source: string = useWatch({ control: form.control, name: from })
  const { setValue } = form
  useEffect(() => {
    // Safe: `name` is the name of a text.
    if (!isTyped) setValue(name, suggest(source) as PathValue<Values, Name>)
  }, [isTyped, source, suggest, name, setValue])
  return (
    <CustomField form={form} name={name} {...labels}>
      {({ onChange, ...control }) => (
        <Input
          {...control}
          onChange={(event) => {
            setTyped(true)
            onChange(event)
          }}
          className={className}
          autoComplete="off"
          maxLength={200}
        />
      )}
    </CustomField>
  )
}
