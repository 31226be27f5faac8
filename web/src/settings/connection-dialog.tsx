import type { Connection } from '@plumbline/sdk'
import { type FormEvent, useState } from 'react'
import { useChange } from '../app/api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input, Textarea } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { Select } from '../ui/select.tsx'
import {
  addressExample,
  needsAddress,
  type Provider,
  providerLabels,
  readModels,
} from './connection-providers.ts'

interface ConnectionDialogProps {
  /** The one to change; `new` for another one. */
  readonly subject: Connection | 'new' | undefined
  readonly onClose: () => void
  readonly onSaved: (connection: Connection) => void
}

/** Adds a connection, or changes one. The key is given and never shown again. */
export function ConnectionDialog({ subject, onClose, onSaved }: ConnectionDialogProps) {
  const connection = subject === 'new' ? undefined : subject
  return (
    <Dialog
      isOpen={subject !== undefined}
      onClose={onClose}
      title={connection === undefined ? 'New connection' : `Change ${connection.name}`}
      description="The key is encrypted and never shown again."
    >
      <ConnectionForm connection={connection} onClose={onClose} onSaved={onSaved} />
    </Dialog>
  )
}

interface ConnectionFormProps extends Omit<ConnectionDialogProps, 'subject'> {
  readonly connection: Connection | undefined
}

function ConnectionForm({ connection, onClose, onSaved }: ConnectionFormProps) {
  const [provider, setProvider] = useState<Provider>(connection?.provider ?? 'open-ai')
  const [ownName, setName] = useState(connection?.name)
  const [apiKey, setKey] = useState('')
  const [baseUrl, setBaseUrl] = useState(connection?.baseUrl ?? '')
  const [region, setRegion] = useState(connection?.region ?? '')
  const [models, setModels] = useState(connection?.models.join('\n') ?? '')
  const name = ownName ?? providerLabels[provider]
  const options = {
    refreshes: ['connections.list'] as const,
    showsErrors: true,
    onDone: ({ connection: saved }: { readonly connection: Connection }) => onSaved(saved),
  }
  const create = useChange('connections.create', options)
  const update = useChange('connections.update', options)
  const failed = create.error ?? update.error
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const fields = {
      name: name.trim(),
      models: readModels(models),
      ...(apiKey !== '' && { apiKey }),
      ...(baseUrl.trim() !== (connection?.baseUrl ?? '') && { baseUrl: baseUrl.trim() || null }),
      ...(region.trim() !== (connection?.region ?? '') && { region: region.trim() || null }),
    }
    if (connection === undefined) create.mutate({ ...fields, provider })
    else update.mutate({ ...fields, id: connection.id })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Provider">
        <Select
          value={provider}
          disabled={connection !== undefined}
          onChange={setProvider}
          choices={Object.entries(providerLabels).map(([value, label]) => ({
            // Safe: the keys of the labels are the providers.
            value: value as Provider,
            label,
          }))}
        />
      </Field>
      <Field label="Name" hint="Must be unique in the workspace.">
        <Input
          value={name}
          required
          maxLength={200}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </Field>
      <Field
        label="API key"
        hint={
          connection === undefined
            ? undefined
            : `Leave empty to keep the current key${connection.keyEnd === undefined ? '' : `: …${connection.keyEnd}`}. Required if you change the URL.`
        }
      >
        <Input
          type="password"
          autoComplete="off"
          value={apiKey}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
      </Field>
      {provider === 'bedrock' ? (
        <Field label="Region">
          <Input
            placeholder="us-east-1"
            value={region}
            onChange={(event) => setRegion(event.currentTarget.value)}
          />
        </Field>
      ) : (
        <Field
          label="URL"
          hint={needsAddress(provider) ? undefined : 'Optional. Leave empty for the provider’s default.'}
        >
          <Input
            type="url"
            required={needsAddress(provider)}
            placeholder={addressExample(provider)}
            value={baseUrl}
            onChange={(event) => setBaseUrl(event.currentTarget.value)}
          />
        </Field>
      )}
      <Field label="Models" hint="One per line. Offered in the playground and in evaluators.">
        <Textarea
          className="font-mono text-xs!"
          spellCheck={false}
          value={models}
          onChange={(event) => setModels(event.currentTarget.value)}
        />
      </Field>
      <FormActions
        action={connection === undefined ? 'Add and test' : 'Save and test'}
        onCancel={onClose}
        isDisabled={name.trim() === ''}
        isBusy={create.isPending || update.isPending}
        error={failed}
      />
    </form>
  )
}
