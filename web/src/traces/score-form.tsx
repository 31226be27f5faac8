import { type FormEvent, useState } from 'react'
import { useRead } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input, Textarea } from '../ui/form/field.tsx'
import { Select } from '../ui/form/select.tsx'

/** A score by hand: its name, value and reason. */
export interface WrittenScore {
  readonly name: string
  readonly value: boolean | number | string
  readonly comment: string | null
}

interface ScoreFormProps {
  /** The verb on the button. */
  readonly action: string
  readonly isBusy: boolean
  readonly onSave: (score: WrittenScore) => void
  readonly onClose: () => void
}

type Kind = 'boolean' | 'number' | 'category'

const kinds = [
  { value: 'boolean', label: 'Yes or no' },
  { value: 'number', label: 'Number' },
  { value: 'category', label: 'Category' },
] as const

/** A judgement by hand: yes or no, a number, or a word. */
export function ScoreForm({ action, isBusy, onSave, onClose }: ScoreFormProps) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>('boolean')
  const [valueText, setWritten] = useState('')
  const [comment, setComment] = useState('')
  const scoreNames = useRead('scores.list', { limit: 200 }).data?.scores ?? []
  const names = [...new Set(scoreNames.map((score) => score.name))].sort()
  const value = valueWritten(kind, valueText)
  const save = (event: FormEvent): void => {
    event.preventDefault()
    if (value === undefined || name.trim() === '') return
    onSave({ name: name.trim(), value, comment: comment.trim() || null })
  }
  return (
    <form onSubmit={save} aria-label="New score" className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-3">
        <Field label="Name">
          <Input
            autoFocus
            list="score-names"
            placeholder="accuracy"
            value={name}
            onChange={(event) => {
              const next = event.currentTarget.value
              setName(next)
              const before = scoreNames.find((score) => score.name === next)
              if (before !== undefined) setKind(kindOf(before.value))
            }}
          />
        </Field>
        <datalist id="score-names">
          {names.map((scoreName) => (
            <option key={scoreName} value={scoreName} />
          ))}
        </datalist>
        <Field label="Kind">
          <Select label="Kind" choices={kinds} value={kind} onChange={setKind} />
        </Field>
      </div>
      {kind === 'boolean' ? (
        <fieldset aria-label="Value" className="flex gap-2">
          {(['yes', 'no'] as const).map((word) => (
            <Button
              key={word}
              size="small"
              aria-pressed={valueText === word}
              className={valueText === word ? 'border-accent! bg-selected!' : undefined}
              onClick={() => setWritten(word)}
            >
              {word === 'yes' ? 'Yes' : 'No'}
            </Button>
          ))}
        </fieldset>
      ) : (
        <Field
          label="Value"
          problem={
            kind === 'number' && valueText !== '' && value === undefined
              ? 'Enter a number, such as 0.8.'
              : undefined
          }
        >
          <Input
            inputMode={kind === 'number' ? 'decimal' : 'text'}
            value={valueText}
            onChange={(event) => setWritten(event.currentTarget.value)}
          />
        </Field>
      )}
      <Field label="Reason">
        <Textarea rows={2} value={comment} onChange={(event) => setComment(event.currentTarget.value)} />
      </Field>
      <div className="flex justify-end gap-2">
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <Button
          size="small"
          type="submit"
          look="primary"
          disabled={value === undefined || name.trim() === ''}
          isBusy={isBusy}
        >
          {action}
        </Button>
      </div>
    </form>
  )
}

const kindOf = (value: boolean | number | string): Kind =>
  typeof value === 'boolean' ? 'boolean' : typeof value === 'number' ? 'number' : 'category'

/** The typed text as a value of its kind; undefined where it is none. */
function valueWritten(kind: Kind, typedText: string): boolean | number | string | undefined {
  const text = typedText.trim()
  if (kind === 'boolean') return text === 'yes' ? true : text === 'no' ? false : undefined
  if (text === '') return undefined
  if (kind === 'category') return text
  const number = Number(text.replace(',', '.'))
  return Number.isFinite(number) ? number : undefined
}
