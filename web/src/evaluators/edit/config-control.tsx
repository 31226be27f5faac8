import type { Connection } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { CheckBox } from '../../ui/form/checkbox.tsx'
import { Field, Input, Textarea } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { CodeEditor } from '../../ui/text/code-editor.tsx'
import type { ConfigField } from './config-field.ts'
import { RubricField } from './rubric-field.tsx'

const languages = { json: 'json', javascript: 'javascript', template: 'jinja' } as const

interface ConfigControlProps {
  readonly field: ConfigField
  readonly text: string
  readonly problem: string | undefined
  /** Undefined while loading. */
  readonly connections: readonly Connection[] | undefined
  /** The selected connection. */
  readonly connection: Connection | undefined
  readonly onChange: (text: string) => void
}

/** One setting of an evaluator, by its type. */
export function ConfigControl(props: ConfigControlProps) {
  const { field, text, problem, connections, connection, onChange } = props
  const { label, hint } = field
  switch (field.type) {
    case 'flag':
      return (
        // biome-ignore lint/a11y/noLabelWithoutControl: The box inside is the control; it is no native element.
        <label className="flex items-center gap-2 text-sm">
          <CheckBox
            label={label}
            isChecked={text === 'true'}
            onChange={(isOn) => onChange(isOn ? 'true' : '')}
          />
          {label}
        </label>
      )
    case 'choice':
      return (
        <Field label={label} hint={hint} problem={problem}>
          {/* The first choice is the default. */}
          <Select choices={field.choices} value={text || field.choices[0]?.value} onChange={onChange} />
        </Field>
      )
    case 'connection':
      return (
        <Field label={label} hint={connections?.length === 0 ? <NoConnection /> : hint} problem={problem}>
          <Select
            placeholder="Choose…"
            choices={(connections ?? []).map(({ id, name, provider }) => ({
              value: id,
              label: name,
              hint: provider,
            }))}
            value={connection?.id}
            onChange={onChange}
          />
        </Field>
      )
    case 'model':
      return (
        <Field label={label} hint={hint} problem={problem}>
          <ModelInput text={text} models={connection?.models ?? []} onChange={onChange} />
        </Field>
      )
    case 'markdown':
      return <RubricField label={label} hint={hint} problem={problem} text={text} onChange={onChange} />
    case 'long':
    case 'references':
    case 'points':
      return (
        <Field label={label} hint={hint} problem={problem}>
          <Textarea value={text} onChange={(event) => onChange(event.currentTarget.value)} />
        </Field>
      )
    case 'json':
    case 'javascript':
    case 'template':
      return (
        <div className="flex flex-col gap-1">
          <p className="text-sm font-medium">{label}</p>
          <CodeEditor
            label={label}
            language={languages[field.type]}
            value={text}
            onChange={onChange}
            hasLineNumbers={field.type !== 'template'}
            minHeightPx={field.isExtra === true ? 80 : 160}
            maxHeightPx={420}
          />
          {hint !== undefined && <p className="text-xs text-ink-3">{hint}</p>}
          {problem !== undefined && (
            <p role="alert" className="text-xs text-bad">
              {problem}
            </p>
          )}
        </div>
      )
    default:
      return (
        <Field label={label} hint={hint} problem={problem}>
          <Input
            value={text}
            inputMode={field.type === 'number' ? 'decimal' : undefined}
            spellCheck={false}
            className={field.type === 'text' ? 'font-mono' : undefined}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        </Field>
      )
  }
}

const NoConnection = () => (
  <>
    There is none yet. An admin can add one in the{' '}
    <Link to="/settings/connections" className="text-accent-ink hover:underline">
      settings
    </Link>
    .
  </>
)

interface ModelInputProps {
  readonly text: string
  /** Those that the connection offers. */
  readonly models: readonly string[]
  readonly onChange: (text: string) => void
}

function ModelInput({ text, models, onChange }: ModelInputProps) {
  const id = useId()
  return (
    <>
      <Input
        value={text}
        list={id}
        spellCheck={false}
        autoComplete="off"
        className="font-mono"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={id}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </>
  )
}
