import type { Connection } from '@plumbline/sdk'
import createSchema from '@plumbline/sdk/input-schemas?connections.create'
import updateSchema from '@plumbline/sdk/input-schemas?connections.update'
import { useWatch } from 'react-hook-form'
import { type Input as InputOf, useChange, useReadLatest } from '../../app/api.ts'
import type { InputProblem } from '../../ui/form/check-input.ts'
import { SelectField, TextareaField, TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { SuggestedField } from '../../ui/form/suggested-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import {
  addressExample,
  needsAddress,
  type Provider,
  providerLabels,
  readModels,
} from './connection-providers.ts'

interface ConnectionDialogProps {
  /** The connection to change, or `new`. */
  readonly subject: Connection | 'new' | undefined
  readonly onClose: () => void
  readonly onSaved: (connection: Connection) => void
}

/** Adds or changes a connection. The service never returns its key. */
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

const providerChoices = Object.entries(providerLabels).map(([value, label]) => ({
  // Safe: the keys of the labels are the providers.
  value: value as Provider,
  label,
}))

// Safe: the choices are providers.
const labelOf = (provider: string): string => providerLabels[provider as Provider]

/** For both operations: one needs the provider, the other the id. */
type ConnectionInput = Omit<InputOf<'connections.update'>, 'id'> & {
  readonly name: string
  readonly provider?: Provider
  readonly id?: string
}

const valuesOf = (connection: Connection | undefined) => ({
  provider: connection?.provider ?? ('open-ai' as Provider),
  name: connection?.name ?? '',
  apiKey: '',
  baseUrl: connection?.baseUrl ?? '',
  region: connection?.region ?? '',
  models: connection?.models.join('\n') ?? '',
})

/** The current connection; a deleted one in its last state, and the service reports it on save. */
const readConnection = async (
  readLatest: ReturnType<typeof useReadLatest>,
  connection: Connection,
): Promise<Connection> =>
  (await readLatest('connections.list', {})).connections.find(({ id }) => id === connection.id) ?? connection

function ConnectionForm({ connection, onClose, onSaved }: ConnectionFormProps) {
  const readLatest = useReadLatest()
  const options = { refreshes: ['connections.list'] as const, showsErrors: true }
  const create = useChange('connections.create', options)
  const update = useChange('connections.update', options)
  const form = useForm({
    schema: connection === undefined ? createSchema : updateSchema,
    initial: valuesOf(connection),
    readLatest: connection && (async () => valuesOf(await readConnection(readLatest, connection))),
    check: ({ provider, baseUrl }): readonly InputProblem[] =>
      needsAddress(provider) && baseUrl.trim() === '' ? [{ path: 'baseUrl', problem: 'is required' }] : [],
    toInput: ({ provider, name, apiKey, baseUrl, region, models }): ConnectionInput => ({
      ...(connection === undefined ? { provider } : { id: connection.id }),
      name: name.trim(),
      models: readModels(models),
      ...(apiKey !== '' && { apiKey }),
      ...((connection !== undefined || baseUrl.trim() !== '') && { baseUrl: baseUrl.trim() || null }),
      ...((connection !== undefined || region.trim() !== '') && { region: region.trim() || null }),
    }),
    send: async ({ id, provider, ...fields }) => {
      const outcome =
        id === undefined
          ? // Safe: a new connection has a provider.
            await create.mutateAsync({ ...fields, provider: provider as Provider })
          : await update.mutateAsync({ ...fields, id })
      onSaved(outcome.connection)
    },
  })
  const provider = useWatch({ control: form.control, name: 'provider' })
  return (
    <Form form={form} action={connection === undefined ? 'Add and test' : 'Save and test'} onCancel={onClose}>
      <SelectField
        form={form}
        name="provider"
        label="Provider"
        disabled={connection !== undefined}
        choices={providerChoices}
      />
      <SuggestedField
        form={form}
        name="name"
        from="provider"
        suggest={labelOf}
        label="Name"
        hint="Must be unique in the workspace."
      />
      <TextField
        form={form}
        name="apiKey"
        label="API key"
        type="password"
        autoComplete="off"
        hint={
          connection === undefined
            ? undefined
            : `Leave empty to keep the current key${connection.keyEnd === undefined ? '' : `: …${connection.keyEnd}`}. Required if you change the URL.`
        }
      />
      {provider === 'bedrock' ? (
        <TextField form={form} name="region" label="Region" placeholder="us-east-1" />
      ) : (
        <TextField
          form={form}
          name="baseUrl"
          label="URL"
          type="url"
          hint={needsAddress(provider) ? undefined : 'Optional. Leave empty for the provider’s default.'}
          isRequired={needsAddress(provider)}
          placeholder={addressExample(provider)}
        />
      )}
      <TextareaField
        form={form}
        name="models"
        label="Models"
        hint="One per line. Offered in the playground and in evaluators."
        className="font-mono text-xs!"
        spellCheck={false}
      />
    </Form>
  )
}
