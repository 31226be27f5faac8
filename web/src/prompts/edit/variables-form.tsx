import type { TemplateVariable } from '@plumbline/sdk/render'
import { Badge } from '../../ui/badge.tsx'
import { Field, Input, Textarea } from '../../ui/form/field.tsx'
import { readValues, type VariableTexts } from './variable-values.ts'

interface VariablesFormProps {
  readonly variables: readonly TemplateVariable[]
  readonly texts: VariableTexts
  readonly onChange: (texts: VariableTexts) => void
}

/** A field for each variable; those that the template loops over or accesses fields of accept JSON. */
export function VariablesForm({ variables, texts, onChange }: VariablesFormProps) {
  const { problems } = readValues(texts, variables)
  if (variables.length === 0)
    return (
      <p className="text-sm text-ink-3">
        No variables. Write <code className="font-mono text-xs">{'{{ name }}'}</code> in the text to add one.
      </p>
    )
  return (
    <div className="flex flex-col gap-3">
      {variables.map(({ label, type }) => {
        const value = texts[label] ?? ''
        const setText = (next: string): void => onChange({ ...texts, [label]: next })
        const isJson = type === 'array' || type === 'object'
        return (
          <Field
            key={label}
            problem={problems[label]}
            label={
              <span className="flex items-center gap-2">
                <code className="truncate font-mono text-xs" title={label}>
                  {label}
                </code>
                {type !== 'string' && <Badge>{type}</Badge>}
              </span>
            }
          >
            {isJson || value.length > 60 || value.includes('\n') ? (
              <Textarea
                dir="auto"
                className={isJson ? 'font-mono text-xs!' : ''}
                placeholder={type === 'array' ? '[ … ]' : type === 'object' ? '{ … }' : ''}
                value={value}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            ) : (
              <Input
                dir="auto"
                placeholder={type === 'boolean' ? 'true or false' : ''}
                value={value}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            )}
          </Field>
        )
      })}
    </div>
  )
}
