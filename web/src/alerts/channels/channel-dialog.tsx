import type { Channel } from '@plumbline/sdk'
import createSchema from '@plumbline/sdk/input-schemas?channels.create'
import updateSchema from '@plumbline/sdk/input-schemas?channels.update'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { type Input as InputOf, useChange, useReadLatest } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import type { InputProblem } from '../../ui/form/check-input.ts'
import { CheckboxField, SelectField, SwitchField, TextareaField, TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { type Form as FormOf, useForm } from '../../ui/form/use-form.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { channelTypes, readAddresses } from './channel-types.ts'
import { SecretOnce } from './secret-once.tsx'

interface ChannelDialogProps {
  /** The channel to change, or `new`. */
  readonly subject: Channel | 'new' | undefined
  readonly sendsEmail: boolean
  readonly onClose: () => void
  readonly onSaved: (channel: Channel) => void
}

/** Adds or changes a channel. The service never returns its address, and the secret of a webhook only once. */
export function ChannelDialog({ subject, sendsEmail, onClose, onSaved }: ChannelDialogProps) {
  const channel = subject === 'new' ? undefined : subject
  const [created, setCreated] = useState<{ readonly channel: Channel; readonly secret: string }>()
  const close = (): void => {
    onClose()
    setCreated(undefined)
  }
  return (
    <Dialog
      isOpen={subject !== undefined}
      onClose={close}
      closesByButtonOnly={created !== undefined}
      title={
        created !== undefined
          ? 'Copy the secret now'
          : channel === undefined
            ? 'New channel'
            : `Change ${channel.name}`
      }
      description={created === undefined ? 'The address is encrypted and never shown again.' : undefined}
    >
      {created !== undefined && (
        <SecretOnce
          secret={created.secret}
          onDone={() => {
            setCreated(undefined)
            if (channel === undefined) onSaved(created.channel)
          }}
        />
      )}
      {/* While the new secret is shown, the form behind it keeps its input. */}
      <div hidden={created !== undefined}>
        <ChannelForm
          channel={channel}
          sendsEmail={sendsEmail}
          onClose={close}
          onSaved={onSaved}
          onSecret={setCreated}
        />
      </div>
    </Dialog>
  )
}

interface ChannelFormProps extends Omit<ChannelDialogProps, 'subject'> {
  readonly channel: Channel | undefined
  readonly onSecret: (result: { readonly channel: Channel; readonly secret: string }) => void
}

interface Values {
  readonly type: Channel['type']
  readonly name: string
  readonly address: string
  readonly isEnabled: boolean
  readonly hearsPublications: boolean
}

/** For both operations: one needs the type, the other the id. */
type ChannelInput = Omit<InputOf<'channels.update'>, 'id'> & {
  readonly name: string
  readonly type?: Channel['type']
  readonly id?: string
}

const valuesOf = (channel: Channel | undefined): Values => ({
  type: channel?.type ?? 'slack',
  name: channel?.name ?? '',
  address: '',
  isEnabled: channel?.isEnabled ?? true,
  hearsPublications: channel?.events.includes('prompt.published') ?? false,
})

/** The current channel; a deleted one in its last state, and the service reports it on save. */
const readChannel = async (
  readLatest: ReturnType<typeof useReadLatest>,
  channel: Channel,
): Promise<Channel> =>
  (await readLatest('channels.list', {})).channels.find(({ id }) => id === channel.id) ?? channel

function ChannelForm({ channel, sendsEmail, onClose, onSaved, onSecret }: ChannelFormProps) {
  const refreshes = ['channels.list'] as const
  const readLatest = useReadLatest()
  const create = useChange('channels.create', { refreshes, showsErrors: true })
  const update = useChange('channels.update', { refreshes, showsErrors: true })
  const rotate = useChange('channels.rotate', { onDone: onSecret })
  const form = useForm<Values, ChannelInput>({
    schema: channel === undefined ? createSchema : updateSchema,
    initial: valuesOf(channel),
    readLatest: channel && (async () => valuesOf(await readChannel(readLatest, channel))),
    fieldOf: { url: 'address', to: 'address' },
    check: ({ address }): readonly InputProblem[] =>
      channel === undefined && address.trim() === '' ? [{ path: 'url', problem: 'is required' }] : [],
    toInput: ({ type, name, address, isEnabled, hearsPublications }) => ({
      ...(channel === undefined ? { type } : { id: channel.id }),
      name: name.trim(),
      events: hearsPublications ? (['prompt.published'] as const) : [],
      ...(address.trim() !== '' &&
        (type === 'email' ? { to: readAddresses(address) } : { url: address.trim() })),
      ...(channel !== undefined && { isEnabled }),
    }),
    send: async ({ id, type, ...fields }) => {
      if (id !== undefined) return onSaved((await update.mutateAsync({ ...fields, id })).channel)
      // Safe: a new channel has a type.
      const created = await create.mutateAsync({ ...fields, type: type as Channel['type'] })
      if (created.secret === null) onSaved(created.channel)
      else onSecret({ channel: created.channel, secret: created.secret })
    },
  })
  const type = useWatch({ control: form.control, name: 'type' })
  return (
    <Form form={form} action={channel === undefined ? 'Add' : 'Save'} onCancel={onClose}>
      <SelectField
        form={form}
        name="type"
        label="Kind"
        hint={
          sendsEmail
            ? undefined
            : 'E-mail needs a mail server. Ask your operator to set SMTP_URL and MAIL_FROM.'
        }
        disabled={channel !== undefined}
        choices={typeChoices.filter(
          ({ value }) => value !== 'email' || sendsEmail || channel?.type === 'email',
        )}
      />
      <TextField
        form={form}
        name="name"
        label="Name"
        hint="Must be unique in the workspace."
        isRequired
        maxLength={200}
      />
      <AddressField form={form} type={type} channel={channel} />
      <CheckboxField
        form={form}
        name="hearsPublications"
        label="Published prompts"
        hint="Sends a message when a prompt tag moves. Each alert selects its own channels."
      />
      {channel !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <SwitchField form={form} name="isEnabled" label="Enabled" />
          {channel.type === 'webhook' && (
            <Button size="small" isBusy={rotate.isPending} onClick={() => rotate.mutate({ id: channel.id })}>
              New secret
            </Button>
          )}
        </div>
      )}
      {channel?.problem != null && <p className="text-sm text-bad">{channel.problem}</p>}
    </Form>
  )
}

interface AddressFieldProps {
  readonly form: FormOf<Values>
  readonly type: Channel['type']
  readonly channel: Channel | undefined
}

function AddressField({ form, type, channel }: AddressFieldProps) {
  const { hint, example } = channelTypes[type]
  const labels = {
    hint: channel === undefined ? hint : `Leave empty to keep the current one: ${channel.target}`,
    isRequired: channel === undefined,
    placeholder: example,
  }
  return type === 'email' ? (
    <TextareaField form={form} name="address" label="Addresses" {...labels} />
  ) : (
    <TextField form={form} name="address" label="Address" type="url" autoComplete="off" {...labels} />
  )
}

const typeChoices = Object.entries(channelTypes).map(([value, { label }]) => ({
  // Safe: the keys are the types.
  value: value as Channel['type'],
  label,
}))
