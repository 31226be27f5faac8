import type { DatasetSummary } from '@plumbline/sdk'
import type { TemplateVariable } from '@plumbline/sdk/render'
import { useState } from 'react'
import { FillFromTrace } from '../prompts/edit/fill-from-trace.tsx'
import { readDraft, toolNames } from '../prompts/edit/model-draft.ts'
import { ModelForm } from '../prompts/edit/model-form.tsx'
import { TemplateFields } from '../prompts/edit/template-fields.tsx'
import { VariablesForm } from '../prompts/edit/variables-form.tsx'
import { Badge } from '../ui/badge.tsx'
import { Field, Input } from '../ui/form/field.tsx'
import { Select } from '../ui/form/select.tsx'
import { type Draft, textsOfDraft } from './draft.ts'
import { MessagesEditor } from './messages-editor.tsx'

interface SetupPanelProps {
  readonly draft: Draft
  readonly onChange: (change: Partial<Draft>) => void
  readonly variables: readonly TemplateVariable[]
  readonly prompt: string | undefined
  readonly datasets: readonly DatasetSummary[]
  readonly dataset: string | undefined
  readonly rowCount: number
  readonly onDataset: (slug: string | undefined) => void
  readonly onRowCount: (count: number) => void
}

interface RowCountInputProps {
  readonly count: number
  readonly onChange: (count: number) => void
}

/** Keeps the typed text: a field may be empty while a number is retyped. */
function RowCountInput({ count, onChange }: RowCountInputProps) {
  const [text, setText] = useState<string>()
  return (
    <Input
      inputMode="numeric"
      className="w-24!"
      value={text ?? count}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        const typedCount = Number(currentTarget.value)
        if (typedCount >= 1) onChange(typedCount)
      }}
      onBlur={() => setText(undefined)}
    />
  )
}

/** No slug can be a space. */
const none = ' '

/** The setup: texts, messages, values or a dataset, parameters. */
export function SetupPanel(props: SetupPanelProps) {
  const { draft, onChange, variables, prompt, datasets, dataset, rowCount, onDataset, onRowCount } = props
  const { model, problems } = readDraft(draft.model)
  const tools = toolNames(model.parameters?.tools)
  const missing = variables.filter(
    ({ label }) => !datasets.find(({ slug }) => slug === dataset)?.columns.some(({ name }) => name === label),
  )
  return (
    <div className="flex flex-col gap-5 overflow-y-auto p-4">
      <TemplateFields
        texts={textsOfDraft(draft)}
        onChange={({ messages, ...texts }) =>
          onChange({ ...texts, ...(messages && { promptMessages: messages }) })
        }
        variables={variables}
        isDense
      />
      <MessagesEditor messages={draft.messages} onChange={(messages) => onChange({ messages })} />
      <section aria-label="Variables" className="flex flex-col gap-3">
        <div className="flex min-h-7 flex-wrap items-center gap-2">
          <h2 className="flex-1 text-sm font-medium">Variables</h2>
          {prompt !== undefined && dataset === undefined && (
            <FillFromTrace slug={prompt} onFill={(values) => onChange({ values })} />
          )}
          {datasets.length > 0 && (
            <Select
              label="Values from"
              className="h-7! w-44"
              value={dataset ?? none}
              onChange={(slug) => onDataset(slug === none ? undefined : slug)}
              choices={[
                { value: none, label: 'Manual input' },
                ...datasets.map(({ slug, name, rowCount: count }) => ({
                  value: slug,
                  label: name,
                  hint: `${count} rows`,
                })),
              ]}
            />
          )}
        </div>
        {dataset === undefined ? (
          <VariablesForm
            variables={variables}
            texts={draft.values}
            onChange={(values) => onChange({ values })}
          />
        ) : (
          <>
            <Field label="Rows to run" hint="The first rows of the dataset, up to 100.">
              <RowCountInput count={rowCount} onChange={onRowCount} />
            </Field>
            {missing.length > 0 && (
              <p className="text-sm text-warn">
                The dataset has no column for {missing.map(({ label }) => label).join(', ')}.
              </p>
            )}
          </>
        )}
      </section>
      <details className="flex flex-col gap-3">
        <summary className="cursor-pointer text-sm font-medium">
          Parameters, tools and format
          <span className="ml-2 inline-flex gap-1 align-middle">
            {tools.length > 0 && (
              <Badge title={tools.join('\n')}>
                {tools.length} {tools.length === 1 ? 'tool' : 'tools'}
              </Badge>
            )}
            {draft.model.responseFormat !== 'text' && <Badge>{draft.model.responseFormat}</Badge>}
          </span>
        </summary>
        <div className="mt-3">
          <ModelForm
            hasName={false}
            draft={draft.model}
            problems={problems}
            onChange={(next) => onChange({ model: next })}
          />
        </div>
      </details>
    </div>
  )
}
