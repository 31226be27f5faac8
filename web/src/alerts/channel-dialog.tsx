import type { Channel } from '@plumbline/sdk'
import { type FormEvent, useState } from 'react'
import { useChange } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import { Switch } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input, Textarea } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { Select } from '../ui/select.tsx'
import { channelTypes, readAddresses } from './channel-types.ts'
import { SecretOnce } from './secret-once.tsx'

interface ChannelDialogProps {
  /** The one to change; `new` for another one. */
  readonly subject: Channel | 'new' | undefined
  readonly sendsEmail: boolean
  readonly onClose: () => void
  readonly onSaved: (channel: Channel) => void
}

/** Adds a channel, or changes one. Where it leads is given and never shown again; so is the secret of a webhook. */
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
      title={
        created !== undefined
          ? 'Copy the secret now'
          : channel === undefined
            ? 'New channel'
            : `Change ${channel.name}`
      }
      description={created === undefined ? 'The address is encrypted and never shown again.' : undefined}
    >
      {created === undefined ? (
        <ChannelForm
          channel={channel}
          sendsEmail={sendsEmail}
          onClose={close}
          onSaved={onSaved}
          onSecret={setCreated}
        />
      ) : (
        <SecretOnce
          secret={created.secret}
          onDone={() => {
            setCreated(undefined)
            onSaved(created.channel)
          }}
        />
      )}
    </Dialog>
  )
}

interface ChannelFormProps extends Omit<ChannelDialogProps, 'subject'> {
  readonly channel: Channel | undefined
  readonly onSecret: (created: { readonly channel: Channel; readonly secret: string }) => void
}

function ChannelForm({ channel, sendsEmail, onClose, onSaved, onSecret }: ChannelFormProps) {
  const [type, setType] = useState<Channel['type']>(channel?.type ?? 'slack')
  const [name, setName] = useState(channel?.name ?? '')
  const [address, setAddress] = useState('')
  const [isEnabled, setEnabled] = useState(channel?.isEnabled ?? true)
  const create = useChange('channels.create', {
    refreshes: ['channels.list'],
    showsErrors: true,
    onDone: (made) => {
      if (made.secret === null) onSaved(made.channel)
      else onSecret({ channel: made.channel, secret: made.secret })
    },
  })
  const update = useChange('channels.update', {
    refreshes: ['channels.list'],
    showsErrors: true,
    onDone: (saved) => onSaved(saved.channel),
  })
  const rotate = useChange('channels.rotate', { showsErrors: true, onDone: onSecret })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const leads = type === 'email' ? { to: readAddresses(address) } : { url: address.trim() }
    const targetInput = address.trim() === '' ? {} : leads
    if (channel === undefined) create.mutate({ name: name.trim(), type, ...leads })
    else
      update.mutate({
        id: channel.id,
        name: name.trim(),
        ...targetInput,
        ...(isEnabled !== channel.isEnabled && { isEnabled }),
      })
  }
  const choices = Object.entries(channelTypes)
    .filter(([value]) => value !== 'email' || sendsEmail || channel?.type === 'email')
    // Safe: the keys are the types.
    .map(([value, { label }]) => ({ value: value as Channel['type'], label }))
  const { hint, example } = channelTypes[type]
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Kind"
        hint={
          sendsEmail
            ? undefined
            : 'E-mail needs a mail server. Ask your operator to set SMTP_URL and MAIL_FROM.'
        }
      >
        <Select value={type} disabled={channel !== undefined} onChange={setType} choices={choices} />
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
        label={type === 'email' ? 'Addresses' : 'Address'}
        hint={channel === undefined ? hint : `Leave empty to keep the current one: ${channel.target}`}
      >
        {type === 'email' ? (
          <Textarea
            required={channel === undefined}
            placeholder={example}
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        ) : (
          <Input
            type="url"
            autoComplete="off"
            required={channel === undefined}
            placeholder={example}
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        )}
      </Field>
      {channel !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Switch label="Enabled" isChecked={isEnabled} onChange={setEnabled} />
          {channel.type === 'webhook' && (
            <Button size="small" isBusy={rotate.isPending} onClick={() => rotate.mutate({ id: channel.id })}>
              New secret
            </Button>
          )}
        </div>
      )}
      {channel?.problem != null && <p className="text-sm text-bad">{channel.problem}</p>}
      <FormActions
        action={channel === undefined ? 'Add' : 'Save'}
        onCancel={onClose}
        isDisabled={name.trim() === ''}
        isBusy={create.isPending || update.isPending}
        error={create.error ?? update.error ?? rotate.error}
      />
    </form>
  )
}
