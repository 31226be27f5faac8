import type { ApiKey } from '@plumbline/sdk'
import schema from '@plumbline/sdk/input-schemas?keys.create'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { useOperationForm } from '../../app/use-operation-form.ts'
import { Button } from '../../ui/button.tsx'
import { CheckboxGroup, SelectField, TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import type { Choice } from '../../ui/form/select.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { CopyBox } from '../../ui/text/copy-box.tsx'

type Scope = ApiKey['scopes'][number]

const scopes: readonly Choice<Scope>[] = [
  { value: 'ingest', label: 'ingest', hint: 'Record traces, logs and scores.' },
  { value: 'read', label: 'read', hint: 'Read everything, including prompts.' },
  { value: 'manage', label: 'manage', hint: 'Change prompts, datasets and settings, and read.' },
  {
    value: 'operate',
    label: 'operate',
    hint: 'Export and import the whole workspace; in the first workspace, also download backups of all workspaces. Anyone with this key can read and change everything.',
  },
]

const lifetimes = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const
type Lifetime = (typeof lifetimes)[number]['value']

const dayMs = 86_400_000

interface NewKeyDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Creates a key and shows its secret, which the service returns only once. */
export function NewKeyDialog({ isOpen, onClose }: NewKeyDialogProps) {
  const [secret, setSecret] = useState<string>()
  const close = (): void => {
    onClose()
    setSecret(undefined)
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      closesByButtonOnly={secret !== undefined}
      title={secret === undefined ? 'New API key' : 'Copy your key now'}
      description={secret === undefined ? undefined : 'You won’t see it again. Store it in a safe place.'}
    >
      {secret === undefined ? (
        <KeyForm onMade={setSecret} onClose={close} />
      ) : (
        <>
          <CopyBox text={secret} label="Copy key" />
          <DialogActions>
            <Button look="primary" onClick={close}>
              I have copied it
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

interface KeyFormProps {
  readonly onMade: (secret: string) => void
  readonly onClose: () => void
}

function KeyForm({ onMade, onClose }: KeyFormProps) {
  const { may } = useSession()
  const form = useOperationForm('keys.create', {
    schema,
    initial: { name: '', scopes: ['ingest', 'read'] as Scope[], lifetime: 'never' as Lifetime },
    fieldOf: { expiresAt: 'lifetime' },
    toInput: ({ name, scopes: scopeList, lifetime }) => ({
      name: name.trim(),
      scopes: scopeList,
      ...(lifetime !== 'never' && {
        expiresAt: new Date(Date.now() + Number(lifetime) * dayMs).toISOString(),
      }),
    }),
    refreshes: ['keys.list'],
    onDone: ({ secret }) => onMade(secret),
  })
  return (
    <Form form={form} action="Create" onCancel={onClose}>
      <TextField
        form={form}
        name="name"
        label="Name"
        hint="The application or person that uses the key."
        autoFocus
        maxLength={128}
      />
      <CheckboxGroup
        form={form}
        name="scopes"
        label="Scopes"
        choices={scopes.filter(({ value }) => value !== 'operate' || may('owner'))}
      />
      <SelectField form={form} name="lifetime" label="Expires" choices={lifetimes} />
    </Form>
  )
}
