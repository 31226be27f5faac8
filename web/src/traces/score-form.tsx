import schema from '@plumbline/sdk/input-schemas?scores.create'
import { useController, useWatch } from 'react-hook-form'
import { type Input as InputOf, useRead } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import type { InputProblem } from '../ui/form/check-input.ts'
import { Group, Input } from '../ui/form/field.tsx'
import { CustomField, TextareaField, TextField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { readNumber } from '../ui/form/numbers.ts'
import { Select } from '../ui/form/select.tsx'
import { type Form as FormOf, useForm } from '../ui/form/use-form.ts'

type ScoreInput = InputOf<'scores.create'>

interface ScoreFormProps {
  /** The scored trace, or one of its logs. */
  readonly subject: Pick<ScoreInput, 'traceId' | 'logId'>
  /** The verb on the button. */
  readonly action: string
  /** Rejects with the service's error. */
  readonly onSave: (score: ScoreInput) => Promise<unknown>
  readonly onClose: () => void
}

type Kind = 'boolean' | 'number' | 'category'

interface Values {
  name: string
  kind: Kind
  /** The typed text; `yes` or `no` for a boolean. */
  value: string
  comment: string
}

const kinds = [
  { value: 'boolean', label: 'Yes or no' },
  { value: 'number', label: 'Number' },
  { value: 'category', label: 'Category' },
] as const

const initial: Values = { name: '', kind: 'boolean', value: '', comment: '' }

/** The service accepts any text as a category. */
const checkValue = ({ kind, value }: Values): readonly InputProblem[] =>
  kind === 'number' && Number.isNaN(readValue(kind, value))
    ? [{ path: 'value', problem: 'must be a number, such as 0.8' }]
    : []

/** A manual score: yes or no, a number, or a category. */
export function ScoreForm({ subject, action, onSave, onClose }: ScoreFormProps) {
  const form = useForm<Values, Partial<ScoreInput>>({
    schema,
    initial,
    check: checkValue,
    toInput: ({ name, kind, value, comment }) => ({
      ...subject,
      name: name.trim(),
      value: readValue(kind, value),
      comment: comment.trim() || null,
    }),
    // Safe: the schema has checked it.
    send: (score) => onSave(score as ScoreInput),
  })
  return (
    <Form form={form} label="New score" action={action} onCancel={onClose}>
      <div className="grid grid-cols-2 gap-3">
        <NameField form={form} />
        <CustomField form={form} name="kind" label="Kind" isRequired={false}>
          {({ value, onChange }) => (
            <Select
              choices={kinds}
              value={value}
              onChange={(kind) => {
                onChange(kind)
                form.resetField('value')
              }}
            />
          )}
        </CustomField>
      </div>
      <ValueField form={form} />
      <TextareaField form={form} name="comment" label="Reason" rows={2} />
    </Form>
  )
}

interface FieldProps {
  readonly form: FormOf<Values>
}

/** Suggests existing score names; the kind follows the latest score of the name. */
function NameField({ form }: FieldProps) {
  const scores = useRead('scores.list', { limit: 200 }).data?.scores ?? []
  const names = [...new Set(scores.map((score) => score.name))].sort()
  return (
    <>
      <CustomField form={form} name="name" label="Name">
        {({ value, onChange, ...control }) => (
          <Input
            {...control}
            autoFocus
            list="score-names"
            placeholder="accuracy"
            value={value}
            onChange={({ currentTarget }) => {
              onChange(currentTarget.value)
              const latest = scores.find((score) => score.name === currentTarget.value)
              if (latest !== undefined) form.setValue('kind', kindOf(latest.value))
            }}
          />
        )}
      </CustomField>
      <datalist id="score-names">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

function ValueField({ form }: FieldProps) {
  const kind = useWatch({ control: form.control, name: 'kind' })
  return kind === 'boolean' ? (
    <BooleanField form={form} />
  ) : (
    <TextField form={form} name="value" label="Value" inputMode={kind === 'number' ? 'decimal' : 'text'} />
  )
}

function BooleanField({ form }: FieldProps) {
  const { field, fieldState } = useController({ control: form.control, name: 'value' })
  return (
    <Group label="Value" problem={fieldState.error?.message}>
      <div className="flex gap-2">
        {(['yes', 'no'] as const).map((word) => (
          <Button
            key={word}
            size="small"
            aria-pressed={field.value === word}
            className={field.value === word ? 'border-accent! bg-selected!' : undefined}
            onClick={() => field.onChange(word)}
          >
            {word === 'yes' ? 'Yes' : 'No'}
          </Button>
        ))}
      </div>
    </Group>
  )
}

const kindOf = (value: boolean | number | string): Kind =>
  typeof value === 'boolean' ? 'boolean' : typeof value === 'number' ? 'number' : 'category'

/** Undefined if there is none yet; NaN for an invalid number. */
function readValue(kind: Kind, text: string): boolean | number | string | undefined {
  if (kind === 'boolean') return text === '' ? undefined : text === 'yes'
  return kind === 'number' ? readNumber(text, 1) : text.trim() || undefined
}
