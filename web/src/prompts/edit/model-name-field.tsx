import { useId } from 'react'
import { useRead } from '../../app/api.ts'
import { Field, Input } from '../../ui/form/field.tsx'
import type { ModelDraft } from './model-draft.ts'

interface ModelNameFieldProps {
  readonly draft: ModelDraft
  readonly onChange: (change: Partial<ModelDraft>) => void
}

/** Provider and model, with those of the connections offered. */
export function ModelNameField({ draft, onChange }: ModelNameFieldProps) {
  const connections = useRead('connections.list', {}).data?.connections ?? []
  const models = [...new Set(connections.flatMap((connection) => connection.models))]
  const listId = useId()
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label="Provider">
        <Input
          value={draft.provider}
          placeholder="open-ai"
          onChange={(event) => onChange({ provider: event.currentTarget.value })}
        />
      </Field>
      <Field label="Model">
        <Input
          value={draft.model}
          placeholder="gpt-5-mini"
          list={listId}
          onChange={(event) => onChange({ model: event.currentTarget.value })}
        />
      </Field>
      <datalist id={listId}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </div>
  )
}
