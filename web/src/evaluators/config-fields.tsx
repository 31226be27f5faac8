import { useRead } from '../app/api.ts'
import { CheckBox } from '../ui/checkbox.tsx'
import { CodeEditor } from '../ui/code-editor.tsx'
import { Field, Input, Textarea } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { shownFields, type Texts } from './draft.ts'
import type { ConfigField, Kind } from './kinds.ts'

interface ConfigFieldsProps {
  readonly kind: Kind
  readonly texts: Texts
  readonly problems: Readonly<Record<string, string>>
  readonly onChange: (name: string, text: string) => void
}

/** What an evaluator of a kind is told. */
export function ConfigFields({ kind, texts, problems, onChange }: ConfigFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      {shownFields(kind, texts).map((field) => (
        <div key={field.name} className={isWide(field) ? 'col-span-full' : 'min-w-0'}>
          <ConfigControl
            field={field}
            text={texts[field.name] ?? ''}
            problem={problems[field.name]}
            onChange={(text) => onChange(field.name, text)}
          />
        </div>
      ))}
    </div>
  )
}

const wide: readonly ConfigField['type'][] = ['long', 'flag', 'json', 'javascript', 'template', 'words']
const isWide = ({ type }: ConfigField): boolean => wide.includes(type)

const languages = { json: 'json', javascript: 'javascript', template: 'jinja' } as const

interface ControlProps {
  readonly field: ConfigField
  readonly text: string
  readonly problem: string | undefined
  readonly onChange: (text: string) => void
}

function ConfigControl({ field, text, problem, onChange }: ControlProps) {
  const { label, hint } = field
  const told = problem === undefined ? undefined : `${label} ${problem}.`
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
        <Field label={label} hint={hint} problem={told}>
          <Select choices={field.choices} value={text} onChange={onChange} />
        </Field>
      )
    case 'connection':
      return <ConnectionControl text={text} problem={told} onChange={onChange} />
    case 'long':
      return (
        <Field label={label} hint={hint} problem={told}>
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
            minHeightPx={160}
            maxHeightPx={420}
          />
          {hint !== undefined && <p className="text-xs text-ink-3">{hint}</p>}
          {told !== undefined && <p className="text-xs text-bad">{told}</p>}
        </div>
      )
    default:
      return (
        <Field label={label} hint={hint} problem={told}>
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

function ConnectionControl({ text, problem, onChange }: Omit<ControlProps, 'field'>) {
  const connections = useRead('connections.list', {}).data?.connections
  return (
    <Field
      label="Connection"
      hint={connections?.length === 0 ? 'None is set up: an admin adds one in the settings.' : undefined}
      problem={problem}
    >
      <Select
        placeholder="Choose…"
        choices={(connections ?? []).map(({ id, name, provider }) => ({
          value: id,
          label: name,
          hint: provider,
        }))}
        value={text === '' ? undefined : text}
        onChange={onChange}
      />
    </Field>
  )
}
