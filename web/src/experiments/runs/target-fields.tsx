/** The target: a prompt version with a model, or an endpoint. */
import type { PromptSummary } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { usePages, useRead } from '../../app/api.ts'
import { classNames } from '../../ui/class-names.ts'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Field, Group, Input, Textarea } from '../../ui/form/field.tsx'
import type { RunDraft } from './run-draft.ts'

interface TargetFieldsProps {
  readonly draft: RunDraft
  readonly prompts: readonly PromptSummary[]
  /** Of the dataset, once one is chosen. */
  readonly columns: readonly { readonly name: string }[] | undefined
  readonly onChange: (change: Partial<RunDraft>) => void
}

const kinds = [
  { value: 'prompt', label: 'A prompt', hint: 'A prompt version, called by Plumbline' },
  { value: 'endpoint', label: 'An endpoint', hint: 'Your own code, called once per row' },
] as const

export function TargetFields(props: TargetFieldsProps) {
  const { draft, onChange } = props
  const group = useId()
  return (
    <Group label="Target">
      <div className="mb-3 grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        {kinds.map(({ value, label, hint }) => (
          <label
            key={value}
            className={classNames(
              'flex cursor-pointer items-start gap-2 rounded border p-3 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent',
              draft.kind === value ? 'border-accent bg-selected' : 'border-line hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={group}
              aria-label={label}
              checked={draft.kind === value}
              onChange={() => onChange({ kind: value })}
              className="mt-0.5 accent-(--accent)"
            />
            <span>
              <span className="font-medium">{label}</span>
              <span className="block text-xs text-ink-3">{hint}</span>
            </span>
          </label>
        ))}
      </div>
      {draft.kind === 'prompt' ? <PromptFields {...props} /> : <EndpointFields {...props} />}
    </Group>
  )
}

function PromptFields({ draft, prompts, columns, onChange }: TargetFieldsProps) {
  const { promptSlug = '', version, connectionId, model } = draft
  const isChosen = promptSlug !== ''
  const versions = usePages('versions.list', { slug: promptSlug, limit: 100 }, 'versions', {
    enabled: isChosen,
  }).items
  const described = useRead('prompts.describe', { slug: promptSlug }, { enabled: isChosen }).data
  const connections = useRead('connections.list', {}).data?.connections
  const models = connections?.find(({ id }) => id === connectionId)?.models ?? []
  const selectedVersion = isChosen ? versions.find((candidate) => candidate.version === version) : undefined
  const listId = useId()
  const lacking =
    columns === undefined || described === undefined
      ? []
      : described.prompt.variables.filter(({ label }) => !columns.some(({ name }) => name === label))
  return (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      <Field label="Prompt">
        <Combobox
          label="Prompt"
          choices={prompts.map(({ slug, name }) => ({ value: slug, label: name, hint: slug }))}
          value={draft.promptSlug}
          onChange={(slug) => onChange({ promptSlug: slug, version: undefined })}
        />
      </Field>
      <Field label="Version">
        <Combobox
          label="Version"
          choices={(isChosen ? versions : []).map((candidate) => ({
            value: candidate.version,
            label: candidate.version,
            hint: [candidate.model.model, ...candidate.tags].filter((part) => part !== '').join(' · '),
          }))}
          value={version}
          onChange={(next) => onChange({ version: next })}
        />
      </Field>
      <Field
        label="Connection"
        hint={
          connections?.length === 0 && (
            <>
              There is none yet: an admin adds one in the{' '}
              <Link to="/settings/connections" className="text-accent-ink hover:underline">
                settings
              </Link>
              .
            </>
          )
        }
      >
        <Combobox
          label="Connection"
          choices={(connections ?? []).map(({ id, name, provider }) => ({
            value: id,
            label: name,
            hint: provider,
          }))}
          value={connectionId}
          onChange={(next) => onChange({ connectionId: next })}
        />
      </Field>
      <Field label="Model">
        <Input
          value={model}
          list={listId}
          placeholder={selectedVersion?.model.model || 'Model of this version'}
          onChange={(event) => onChange({ model: event.currentTarget.value })}
        />
      </Field>
      <datalist id={listId}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      {lacking.length > 0 && (
        <p className="col-span-full text-sm text-warn">
          The dataset has no column for {lacking.map(({ label }) => `"${label}"`).join(', ')}. The prompt
          leaves those variables empty.
        </p>
      )}
    </div>
  )
}

const EndpointFields = ({ draft, onChange }: TargetFieldsProps) => (
  <div className="flex flex-col gap-4">
    <Field
      label="URL"
      hint="Receives each row as a JSON POST (input, variables, datasetRowId, runId) with a traceparent header, without the ideal output. Responds with JSON: output, and traceId if it records its own trace."
    >
      <Input
        type="url"
        value={draft.url}
        placeholder="https://example.com/run"
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
    </Field>
    <Field label="Headers" hint="One per line. Values are encrypted and not shown again.">
      <Textarea
        value={draft.headers}
        placeholder="Authorization: Bearer …"
        spellCheck={false}
        className="font-mono"
        onChange={(event) => onChange({ headers: event.currentTarget.value })}
      />
    </Field>
  </div>
)
