import { Field, Input } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { CodeEditor } from '../../ui/text/code-editor.tsx'
import { type ModelDraft, type ModelProblems, responseFormats } from './model-draft.ts'
import { ModelNameField } from './model-name-field.tsx'

interface ModelFormProps {
  readonly draft: ModelDraft
  readonly problems: ModelProblems
  readonly onChange: (draft: ModelDraft) => void
  /** False if the model itself is chosen elsewhere. */
  readonly hasName?: boolean
}

const formatLabels = { text: 'Text', json_object: 'JSON object', json_schema: 'JSON schema' } as const

const small = [
  { name: 'temperature', label: 'Temperature' },
  { name: 'maxLength', label: 'Maximum output tokens' },
  { name: 'topP', label: 'Top P' },
  { name: 'topK', label: 'Top K' },
  { name: 'frequencyPenalty', label: 'Frequency penalty' },
  { name: 'presencePenalty', label: 'Presence penalty' },
  { name: 'reasoningEffort', label: 'Reasoning effort' },
  { name: 'verbosity', label: 'Verbosity' },
] as const

/** The model and its parameters. The provider decides about empty ones. */
export function ModelForm({ draft, problems, onChange, hasName = true }: ModelFormProps) {
  const change = (patch: Partial<ModelDraft>): void => onChange({ ...draft, ...patch })
  return (
    <div className="flex flex-col gap-3">
      {hasName && <ModelNameField draft={draft} onChange={change} />}
      <div className="grid grid-cols-2 gap-3">
        {small.map(({ name, label }) => (
          <Field key={name} label={label} problem={problems[name]}>
            <Input
              className="numbers"
              inputMode={name === 'verbosity' || name === 'reasoningEffort' ? 'text' : 'decimal'}
              value={draft[name]}
              onChange={(event) => change({ [name]: event.currentTarget.value })}
            />
          </Field>
        ))}
      </div>
      <Field label="Response format">
        <Select
          value={draft.responseFormat}
          onChange={(responseFormat) => change({ responseFormat })}
          choices={responseFormats.map((value) => ({ value, label: formatLabels[value] }))}
        />
      </Field>
      {draft.responseFormat === 'json_schema' && (
        <JsonField
          label="JSON schema"
          value={draft.jsonObject}
          problem={problems.jsonObject}
          onChange={(jsonObject) => change({ jsonObject })}
        />
      )}
      <details open={draft.tools !== ''} className="flex flex-col gap-3">
        <summary className="cursor-pointer text-sm font-medium">Tools</summary>
        <div className="mt-2 flex flex-col gap-3">
          <JsonField
            label="Tools, in OpenAI or Anthropic format"
            value={draft.tools}
            problem={problems.tools}
            onChange={(tools) => change({ tools })}
          />
          <Field
            label="Tool choice"
            hint="auto, none, required, or JSON that names a tool."
            problem={problems.toolChoice}
          >
            <Input
              className="font-mono"
              value={draft.toolChoice}
              onChange={(event) => change({ toolChoice: event.currentTarget.value })}
            />
          </Field>
        </div>
      </details>
    </div>
  )
}

interface JsonFieldProps {
  readonly label: string
  readonly value: string
  readonly problem: string | undefined
  readonly onChange: (value: string) => void
}

const JsonField = ({ label, value, problem, onChange }: JsonFieldProps) => (
  <div className="flex flex-col gap-1">
    <span className="text-sm font-medium">{label}</span>
    <CodeEditor label={label} language="json" value={value} onChange={onChange} maxHeightPx={280} />
    {problem !== undefined && <p className="text-xs text-bad">{problem}</p>}
  </div>
)
