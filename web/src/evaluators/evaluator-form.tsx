/** The evaluator editor: its settings, with a dry run beside them. */
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { sentenceOf } from '../ui/error-state.tsx'
import { Field, Input } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { ConfigFields } from './config-fields.tsx'
import { type Draft, firstTexts, readPercent, readTexts, shownFields, slugFor } from './draft.ts'
import { DryRunPanel } from './dry-run-panel.tsx'
import { type Kind, kindNames, kinds } from './kinds.ts'
import { refusedField } from './refused-field.ts'

/** The values to save. */
export interface EvaluatorInput {
  readonly slug: string
  readonly name: string
  readonly kind: Kind
  readonly config: Readonly<Record<string, unknown>>
  readonly sampleRate: number
}

interface EvaluatorFormProps {
  readonly initial: Draft
  readonly isNew: boolean
  readonly action: string
  /** What saving does to the version, told beside the button. */
  readonly noteOf?: (input: EvaluatorInput) => string
  readonly error: unknown
  readonly isBusy: boolean
  readonly onSave: (input: EvaluatorInput) => void
  readonly onCancel: () => void
}

const kindChoices = kindNames.map((value) => ({ value, label: kinds[value].label, hint: kinds[value].hint }))

export function EvaluatorForm(props: EvaluatorFormProps) {
  const { initial, isNew, action, noteOf, error, isBusy, onSave, onCancel } = props
  const [draft, setDraft] = useState(initial)
  const [showsProblems, setShowsProblems] = useState(false)
  const change = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }))
  const { config, problems } = readTexts(draft.kind, draft.texts, draft.rest)
  const sampleRate = readPercent(draft.percent)
  const isReady = Object.keys(problems).length === 0 && sampleRate !== undefined
  const slug = isNew && draft.slug === '' ? slugFor(draft.name) : draft.slug
  const input: EvaluatorInput | undefined =
    sampleRate === undefined
      ? undefined
      : { slug, name: draft.name.trim(), kind: draft.kind, config, sampleRate }
  const refusal = error === null || error === undefined ? undefined : sentenceOf(error).description
  const refused =
    refusal === undefined
      ? undefined
      : refusedField(refusal, [
          ...shownFields(draft.kind, draft.texts).map(({ name }) => name),
          'name',
          'slug',
          'sampleRate',
        ])
  const refusedOf = (field: string, label: string): string | undefined =>
    refused?.field === field ? `${label} ${refused.problem}.` : undefined
  const submit = (event?: FormEvent): void => {
    event?.preventDefault()
    setShowsProblems(true)
    if (isReady && input !== undefined && input.name !== '' && slug !== '') onSave(input)
  }
  useShortcuts([{ keys: 'mod+s', label: action, onPress: () => submit() }])
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_minmax(320px,420px)] max-lg:grid-cols-1">
      <form onSubmit={submit} className="flex min-w-0 flex-col gap-5 p-4 lg:overflow-y-auto">
        <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
          <Field label="Name" problem={refusedOf('name', 'Name')}>
            <Input
              value={draft.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
              required
              autoFocus={isNew}
              maxLength={200}
            />
          </Field>
          <Field
            label="Slug"
            hint="Names its scores. It cannot be changed later."
            problem={refusedOf('slug', 'Slug')}
          >
            <Input
              value={slug}
              onChange={(event) => change({ slug: event.currentTarget.value })}
              disabled={!isNew}
              required
              pattern="[a-z0-9][a-z0-9._\-]{0,127}"
              spellCheck={false}
              className="font-mono"
            />
          </Field>
          <Field label="Kind" hint={kinds[draft.kind].hint}>
            <Select
              choices={kindChoices}
              value={draft.kind}
              onChange={(kind) => kind !== draft.kind && change({ kind, texts: firstTexts(kind), rest: {} })}
            />
          </Field>
          {draft.kind !== 'human' && (
            <Field
              label="Sampling rate (% of traces)"
              hint="A trace can set its own rate."
              problem={
                sampleRate === undefined
                  ? 'Enter a number from 0 to 100.'
                  : refusedOf('sampleRate', 'The sampling rate')
              }
            >
              <Input
                inputMode="decimal"
                value={draft.percent}
                onChange={(event) => change({ percent: event.currentTarget.value })}
              />
            </Field>
          )}
        </div>
        <ConfigFields
          key={draft.kind}
          kind={draft.kind}
          texts={draft.texts}
          problems={{
            ...(refused !== undefined && { [refused.field]: refused.problem }),
            ...(showsProblems && problems),
          }}
          onChange={(name, text) =>
            setDraft((before) => ({ ...before, texts: { ...before.texts, [name]: text } }))
          }
        />
        {refusal !== undefined && refused === undefined && (
          <p role="alert" className="text-sm text-bad">
            {refusal}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {action}
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
          {noteOf !== undefined && input !== undefined && (
            <span className="text-xs text-ink-2">{noteOf(input)}</span>
          )}
        </div>
      </form>
      <DryRunPanel
        kind={draft.kind}
        config={config}
        isReady={Object.keys(problems).length === 0}
        onTry={() => setShowsProblems(true)}
      />
    </div>
  )
}
