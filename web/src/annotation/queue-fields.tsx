/** What a queue is called, who judges in it and by what. */
import { Field, Input, Textarea } from '../ui/field.tsx'
import { EvaluatorChoice } from './evaluator-choice.tsx'
import { readPeople } from './read-people.ts'

export interface QueueDraft {
  readonly name: string
  readonly slugs: readonly string[]
  /** As it was typed. */
  readonly people: string
  readonly instructions: string
}

export const emptyQueue: QueueDraft = { name: '', slugs: [], people: '1', instructions: '' }

/** What is sent of it; undefined while something is missing or wrong. */
export function readQueue({ name, slugs, people, instructions }: QueueDraft) {
  const annotatorsPerItem = readPeople(people)
  return name.trim() === '' || slugs.length === 0 || annotatorsPerItem === undefined
    ? undefined
    : { name: name.trim(), evaluatorSlugs: [...slugs], annotatorsPerItem, instructions }
}

interface QueueFieldsProps {
  readonly draft: QueueDraft
  readonly onChange: (draft: QueueDraft) => void
  readonly isNew?: boolean
}

export function QueueFields({ draft, onChange, isNew = false }: QueueFieldsProps) {
  const { name, slugs, people, instructions } = draft
  return (
    <>
      <Field label="Name">
        <Input
          value={name}
          onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
          required
          autoFocus={isNew}
          maxLength={200}
        />
      </Field>
      <EvaluatorChoice slugs={slugs} onChange={(chosen) => onChange({ ...draft, slugs: chosen })} />
      <Field
        label="People per item"
        hint="With two or more, you can measure agreement."
        problem={readPeople(people) === undefined ? 'Enter a whole number from 1 to 20.' : undefined}
      >
        <Input
          inputMode="numeric"
          className="w-24"
          value={people}
          onChange={(event) => onChange({ ...draft, people: event.currentTarget.value })}
        />
      </Field>
      <Field label="Instructions" hint="What annotators need to know. Supports Markdown.">
        <Textarea
          rows={5}
          maxLength={20_000}
          value={instructions}
          onChange={(event) => onChange({ ...draft, instructions: event.currentTarget.value })}
        />
      </Field>
    </>
  )
}
