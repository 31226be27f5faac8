import { type FormEvent, useState } from 'react'
import { SecretOnce } from '../../alerts/channels/secret-once.tsx'
import { useChange, useRead } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { FormActions } from '../../ui/form/form-actions.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'

/** Where each new entry is sent. For owners. */
export function AuditWebhook() {
  const webhook = useRead('audit.settings', {}).data?.settings.webhook
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  const close = (): void => {
    setOpen(false)
    setSecret(undefined)
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>Webhook</Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        closesByButtonOnly={secret !== undefined}
        title={secret === undefined ? 'Send entries to a webhook' : 'Copy the secret now'}
        description={
          secret === undefined
            ? 'Sends each new entry to this address, signed, and retries until it is accepted. The address is encrypted and never shown again.'
            : undefined
        }
      >
        {secret === undefined ? (
          <WebhookForm webhook={webhook ?? null} onClose={close} onSecret={setSecret} />
        ) : (
          <SecretOnce secret={secret} onDone={close} />
        )}
      </Dialog>
    </>
  )
}

interface WebhookFormProps {
  /** The part of the address that may be shown. */
  readonly webhook: string | null
  readonly onClose: () => void
  readonly onSecret: (secret: string) => void
}

function WebhookForm({ webhook, onClose, onSecret }: WebhookFormProps) {
  const [url, setUrl] = useState('')
  const toasts = useToasts()
  const configure = useChange('audit.configure', {
    refreshes: ['audit.settings', 'audit.list'],
    showsErrors: true,
    onDone: ({ secret }) => {
      if (secret !== null) return onSecret(secret)
      toasts.done('Entries are no longer sent')
      onClose()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    configure.mutate({ webhookUrl: url.trim() })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Address"
        hint={webhook === null ? undefined : `Now ${webhook}. A new address gets a new secret.`}
      >
        <Input
          type="url"
          required
          maxLength={2000}
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
      </Field>
      {webhook !== null && (
        <Button
          look="danger"
          className="self-start"
          isBusy={configure.isPending}
          onClick={() => configure.mutate({ webhookUrl: '' })}
        >
          Stop sending
        </Button>
      )}
      <FormActions
        action="Save"
        isDisabled={url.trim() === ''}
        isBusy={configure.isPending}
        error={configure.error}
        onCancel={onClose}
      />
    </form>
  )
}
