/** An alert as it is written, beside what it would have done. */
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useMemo, useState } from 'react'
import { useRead } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import { LabelledCheckbox } from '../ui/checkbox.tsx'
import { sentenceOf } from '../ui/error-state.tsx'
import { Field, Group, Input, Textarea } from '../ui/field.tsx'
import { type Draft, ruleOf } from './draft.ts'
import { FilterFields } from './filter-fields.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { RuleFields } from './rule-fields.tsx'
import { SteadinessFields } from './steadiness-fields.tsx'

type Saved = NonNullable<ReturnType<typeof ruleOf>['rule']> & {
  readonly name: string
  readonly note: string
  readonly channelIds: string[]
}

interface AlertFormProps {
  readonly initial: Draft
  readonly action: string
  /** What saving means, where it is more than that. */
  readonly noteOf?: (saved: Saved) => ReactNode
  readonly error: unknown
  readonly isBusy: boolean
  readonly onSave: (alert: Saved) => void
  readonly onCancel: () => void
}

export function AlertForm({ initial, action, noteOf, error, isBusy, onSave, onCancel }: AlertFormProps) {
  const [draft, setDraft] = useState(initial)
  const [showsProblems, setShowsProblems] = useState(false)
  const { rule, problems } = useMemo(() => ruleOf(draft), [draft])
  const change = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }))
  const saved: Saved | undefined = rule && {
    ...rule,
    name: draft.name.trim(),
    note: draft.note.trim(),
    channelIds: [...draft.channelIds],
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setShowsProblems(true)
    if (saved !== undefined) onSave(saved)
  }
  // Empty fields are not problems until the first attempt to save.
  const shown = showsProblems ? problems : withoutEmpty(problems, draft)
  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col lg:overflow-hidden">
      <form
        onSubmit={submit}
        noValidate
        className="flex shrink-0 flex-col gap-5 p-4 lg:w-120 lg:overflow-y-auto"
      >
        <Field
          label="Name"
          hint="Appears in every notification. Must be unique in the workspace."
          problem={showsProblems && draft.name.trim() === '' ? 'A name.' : undefined}
        >
          <Input
            value={draft.name}
            maxLength={200}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
        </Field>
        <RuleFields draft={draft} problems={shown} onChange={setDraft} />
        <FilterFields draft={draft} onChange={setDraft} />
        <SteadinessFields draft={draft} problems={shown} onChange={setDraft} />
        <Channels chosen={draft.channelIds} onChange={(channelIds) => change({ channelIds })} />
        <Field label="Note" hint="What to do when it fires. Included in every notification.">
          <Textarea
            value={draft.note}
            maxLength={2000}
            onChange={(event) => change({ note: event.currentTarget.value })}
          />
        </Field>
        {error !== null && error !== undefined && (
          <p role="alert" className="text-sm text-bad">
            {sentenceOf(error).description}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
          <Button
            type="submit"
            look="primary"
            isBusy={isBusy}
            disabled={showsProblems && (saved === undefined || saved.name === '')}
          >
            {action}
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
          {saved !== undefined && <span className="text-xs text-ink-2">{noteOf?.(saved)}</span>}
        </div>
      </form>
      <PreviewPanel rule={rule} />
    </div>
  )
}

function withoutEmpty(problems: ReturnType<typeof ruleOf>['problems'], draft: Draft) {
  const { threshold, scoreName, ...others } = problems
  return {
    ...others,
    ...(threshold !== undefined && draft.threshold !== '' && { threshold }),
    ...(scoreName !== undefined && draft.scoreName !== '' && { scoreName }),
  }
}

interface ChannelsProps {
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

function Channels({ chosen, onChange }: ChannelsProps) {
  const channels = useRead('channels.list', {}).data?.channels
  return (
    <Group
      label="Notifies"
      hint={
        channels?.length === 0 ? (
          <>
            There are no channels yet: an administrator adds one under{' '}
            <Link
              to="/alerts"
              search={{ view: 'channels' }}
              className="text-accent-ink underline underline-offset-2"
            >
              Channels
            </Link>
            . Until then the alert shows here only.
          </>
        ) : undefined
      }
    >
      <div className="flex flex-col gap-2">
        {(channels ?? []).map(({ id, name, target, isEnabled }) => (
          <LabelledCheckbox
            key={id}
            label={name}
            hint={isEnabled ? target : `${target}, which is disabled`}
            isChecked={chosen.includes(id)}
            onChange={(isOn) =>
              onChange(isOn ? [...chosen, id] : chosen.filter((channelId) => channelId !== id))
            }
          />
        ))}
      </div>
    </Group>
  )
}
