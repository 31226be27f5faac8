/** The fields of a form, each with its label, hint, marker and problem. `name` is the name of a form value. */
import type { ComponentProps, ReactNode } from 'react'
import {
  type ControllerRenderProps,
  type FieldPath,
  type FieldPathByValue,
  type FieldValues,
  useController,
} from 'react-hook-form'
import { LabelledCheckbox, Switch } from './checkbox.tsx'
import { BareField, Field, Group, Input, Textarea } from './field.tsx'
import { NumberInput } from './number-input.tsx'
import { type Choice, Select } from './select.tsx'
import type { Form } from './use-form.ts'

interface Labels {
  readonly label: ReactNode
  readonly hint?: ReactNode
}

interface FieldOf<Values extends FieldValues, Name extends FieldPath<Values>> extends Labels {
  readonly form: Form<Values>
  readonly name: Name
  /** For values that only some inputs require, which the schema cannot express. */
  readonly isRequired?: boolean
}

type TextNames<Values extends FieldValues> = FieldPathByValue<Values, string>
type InputProps = Omit<ComponentProps<'input'>, 'form' | 'name' | 'value' | 'onChange' | 'required'>

export function TextField<Values extends FieldValues, Name extends TextNames<Values>>({
  ...props
}: FieldOf<Values, Name> & InputProps) {
  const { form, name, label, hint, isRequired, ...input } = props
  return (
    <CustomField {...{ form, name, label, hint, isRequired }}>
      {({ value, ...control }) => <Input {...input} {...control} value={value} />}
    </CustomField>
  )
}

/** Without a label of its own, for rows of fields under one label. Give it an `aria-label`. */
export function BareTextField<Values extends FieldValues, Name extends TextNames<Values>>({
  ...props
}: Pick<FieldOf<Values, Name>, 'form' | 'name'> & InputProps) {
  const { form, name, ...input } = props
  const { field, fieldState } = useController({ control: form.control, name })
  return (
    <BareField problem={fieldState.error?.message}>
      <Input {...input} {...field} />
    </BareField>
  )
}

type TextareaProps = Omit<ComponentProps<'textarea'>, 'form' | 'name' | 'value' | 'onChange' | 'required'>

export function TextareaField<Values extends FieldValues, Name extends TextNames<Values>>({
  ...props
}: FieldOf<Values, Name> & TextareaProps) {
  const { form, name, label, hint, isRequired, ...input } = props
  return (
    <CustomField {...{ form, name, label, hint, isRequired }}>
      {({ value, ...control }) => <Textarea {...input} {...control} value={value} />}
    </CustomField>
  )
}

interface NumberFieldProps<Values extends FieldValues, Name extends FieldPath<Values>>
  extends FieldOf<Values, Name> {
  /** The display factor: 100 shows a fraction as a percentage. */
  readonly scale?: number
}

/** Empty is undefined; invalid text is NaN, which no schema accepts. */
export function NumberField<
  Values extends FieldValues,
  Name extends FieldPathByValue<Values, number | undefined>,
>({ ...props }: NumberFieldProps<Values, Name> & InputProps) {
  const { form, name, label, hint, isRequired, ...input } = props
  return (
    <CustomField {...{ form, name, label, hint, isRequired }}>
      {(control) => <NumberInput {...input} {...control} />}
    </CustomField>
  )
}

interface SelectFieldProps<Values extends FieldValues, Name extends FieldPath<Values>, Value extends string>
  extends FieldOf<Values, Name> {
  readonly choices: readonly Choice<Value>[]
  readonly placeholder?: string
  readonly disabled?: boolean
}

export function SelectField<
  Values extends FieldValues,
  Value extends string,
  Name extends FieldPathByValue<Values, Value | undefined>,
>({ choices, placeholder, disabled, ...field }: SelectFieldProps<Values, Name, Value>) {
  return (
    <CustomField {...field}>
      {({ value, onChange }) => <Select {...{ choices, placeholder, disabled, value, onChange }} />}
    </CustomField>
  )
}

export function CheckboxField<Values extends FieldValues, Name extends FieldPathByValue<Values, boolean>>({
  form,
  name,
  label,
  hint,
}: Omit<FieldOf<Values, Name>, 'label'> & { readonly label: string }) {
  const { field } = useController({ control: form.control, name })
  return <LabelledCheckbox label={label} hint={hint} isChecked={field.value} onChange={field.onChange} />
}

export function SwitchField<Values extends FieldValues, Name extends FieldPathByValue<Values, boolean>>({
  form,
  name,
  label,
}: Omit<FieldOf<Values, Name>, 'label' | 'hint'> & { readonly label: string }) {
  const { field } = useController({ control: form.control, name })
  return <Switch label={label} isChecked={field.value} onChange={field.onChange} />
}

/** Multiple selection from a few choices, as checkboxes. The values keep the order of the choices. */
export function CheckboxGroup<
  Values extends FieldValues,
  Value extends string,
  Name extends FieldPathByValue<Values, readonly Value[]>,
>({ form, name, label, hint, choices }: SelectFieldProps<Values, Name, Value>) {
  const { field, fieldState } = useController({ control: form.control, name })
  const selection: readonly Value[] = field.value
  const choose = (value: Value, isChosen: boolean): void =>
    field.onChange(
      choices
        .map((choice) => choice.value)
        .filter((each) => (each === value ? isChosen : selection.includes(each))),
    )
  return (
    <Group label={label} hint={hint} problem={fieldState.error?.message}>
      <div className="flex flex-col gap-2">
        {choices.map((choice) => (
          <LabelledCheckbox
            key={choice.value}
            label={choice.label}
            hint={choice.hint}
            isChecked={selection.includes(choice.value)}
            onChange={(isChosen) => choose(choice.value, isChosen)}
          />
        ))}
      </div>
    </Group>
  )
}

interface CustomFieldProps<Values extends FieldValues, Name extends FieldPath<Values>>
  extends FieldOf<Values, Name> {
  /** Any control with a value and a change handler. */
  readonly children: (control: ControllerRenderProps<Values, Name>) => ReactNode
}

/** A labelled field with a custom control: a combobox, a code editor. */
export function CustomField<Values extends FieldValues, Name extends FieldPath<Values>>({
  form,
  name,
  label,
  hint,
  isRequired = form.isRequired(name),
  children,
}: CustomFieldProps<Values, Name>) {
  const { field, fieldState } = useController({ control: form.control, name })
  return (
    <Field label={label} hint={hint} isRequired={isRequired} problem={fieldState.error?.message}>
      {children(field)}
    </Field>
  )
}
