/** The target: a prompt version with a model, or an endpoint. */
import type { PromptSummary, PromptVersion } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useController, useWatch } from 'react-hook-form'
import { usePages, useRead } from '../../app/api.ts'
import { useVersion } from '../../prompts/versions/use-version.ts'
import { classNames } from '../../ui/class-names.ts'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Group, Input } from '../../ui/form/field.tsx'
import { CustomField, TextareaField, TextField } from '../../ui/form/fields.tsx'
import type { Form } from '../../ui/form/use-form.ts'
import type { RunDraft } from './run-draft.ts'

interface TargetFieldsProps {
  readonly form: Form<RunDraft>
  readonly prompts: readonly PromptSummary[]
  /** The columns of the dataset, once one is selected. */
  readonly columns: readonly { readonly name: string }[] | undefined
}

const kinds = [
  { value: 'prompt', label: 'A prompt', hint: 'A prompt version, called by Plumbline' },
  { value: 'endpoint', label: 'An endpoint', hint: 'Your own code, called once per row' },
] as const

export function TargetFields(props: TargetFieldsProps) {
  const { field } = useController({ control: props.form.control, name: 'kind' })
  const group = useId()
  return (
    <Group label="Target">
      <div className="mb-3 grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        {kinds.map(({ value, label, hint }) => (
          <label
            key={value}
            className={classNames(
              'flex cursor-pointer items-start gap-2 rounded border p-3 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent',
              field.value === value ? 'border-accent bg-selected' : 'border-line hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={group}
              aria-label={label}
              checked={field.value === value}
              onChange={() => field.onChange(value)}
              className="mt-0.5 accent-(--accent)"
            />
            <span>
              <span className="font-medium">{label}</span>
              <span className="block text-xs text-ink-3">{hint}</span>
            </span>
          </label>
        ))}
      </div>
      {field.value === 'prompt' ? <PromptFields {...props} /> : <EndpointFields form={props.form} />}
    </Group>
  )
}

function PromptFields({ form, prompts, columns }: TargetFieldsProps) {
  const [promptSlug = '', version, connectionId] = useWatch({
    control: form.control,
    name: ['promptSlug', 'version', 'connectionId'],
  })
  const isChosen = promptSlug !== ''
  const versions = usePages('versions.list', { slug: promptSlug, limit: 100 }, 'versions', {
    enabled: isChosen,
  }).items
  const described = useRead(
    'prompts.describe',
    { slug: promptSlug, ...(version !== undefined && { version }) },
    { enabled: isChosen },
  ).data
  const connections = useRead('connections.list', {}).data?.connections
  const models = connections?.find(({ id }) => id === connectionId)?.models ?? []
  const names = prompts.find(({ slug }) => slug === promptSlug)?.availableVersions ?? []
  const selectedVersion = useVersion(isChosen ? promptSlug : undefined, version, versions).version
  const listId = useId()
  const missingColumns =
    columns === undefined || described === undefined
      ? []
      : described.prompt.variables.filter(({ label }) => !columns.some(({ name }) => name === label))
  return (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      <CustomField form={form} name="promptSlug" label="Prompt">
        {({ value, onChange }) => (
          <Combobox
            label="Prompt"
            choices={prompts.map(({ slug, name }) => ({ value: slug, label: name, hint: slug }))}
            value={value}
            onChange={(slug) => {
              onChange(slug)
              const chosenPrompt = prompts.find((prompt) => prompt.slug === slug)
              form.setValue('version', chosenPrompt?.availableVersions[0])
            }}
          />
        )}
      </CustomField>
      <CustomField form={form} name="version" label="Version">
        {({ value, onChange }) => (
          <Combobox
            label="Version"
            choices={names.map((name) => ({ value: name, label: name, hint: hintOf(name, versions) }))}
            value={value}
            onChange={onChange}
          />
        )}
      </CustomField>
      <CustomField
        form={form}
        name="connectionId"
        label="Connection"
        hint={
          connections?.length === 0 && (
            <>
              There is none yet. An admin can add one in the{' '}
              <Link to="/settings/connections" className="text-accent-ink hover:underline">
                settings
              </Link>
              .
            </>
          )
        }
      >
        {({ value, onChange }) => (
          <Combobox
            label="Connection"
            choices={(connections ?? []).map(({ id, name, provider }) => ({
              value: id,
              label: name,
              hint: provider,
            }))}
            value={value}
            onChange={onChange}
          />
        )}
      </CustomField>
      <CustomField form={form} name="model" label="Model">
        {(control) => (
          <Input
            {...control}
            list={listId}
            placeholder={selectedVersion?.model.model || 'Model of this version'}
          />
        )}
      </CustomField>
      <datalist id={listId}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      {missingColumns.length > 0 && (
        <p className="col-span-full text-sm text-warn">
          The dataset has no column for {missingColumns.map(({ label }) => `"${label}"`).join(', ')}. The
          prompt leaves those variables empty.
        </p>
      )}
    </div>
  )
}

/** The model and the tags of a version in the list. */
function hintOf(name: string, versions: readonly PromptVersion[]): string {
  const match = versions.find(({ version }) => version === name)
  return match === undefined
    ? ''
    : [match.model.model, ...match.tags].filter((part) => part !== '').join(' · ')
}

const EndpointFields = ({ form }: Pick<TargetFieldsProps, 'form'>) => (
  <div className="flex flex-col gap-4">
    <TextField
      form={form}
      name="url"
      label="URL"
      hint="Receives each row as a JSON POST (input, variables, datasetRowId, runId) with a traceparent header, without the ideal output. Responds with JSON: output, and traceId if it records its own trace."
      type="url"
      placeholder="https://example.com/run"
    />
    <TextareaField
      form={form}
      name="headers"
      label="Headers"
      hint="One per line. Values are encrypted and not shown again."
      placeholder="Authorization: Bearer …"
      spellCheck={false}
      className="font-mono"
    />
  </div>
)
