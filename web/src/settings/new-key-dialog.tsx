import type { ApiKey } from '@plumbline/sdk'
import { type FormEvent, useState } from 'react'
import { useChange } from '../app/api.ts'
import { useSession } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { LabelledCheckbox } from '../ui/checkbox.tsx'
import { CopyBox } from '../ui/copy-box.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field, Group, Input } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { Select } from '../ui/select.tsx'

type Scope = ApiKey['scopes'][number]

const scopes: readonly { readonly scope: Scope; readonly hint: string }[] = [
  { scope: 'ingest', hint: 'Record traces, logs and scores.' },
  { scope: 'read', hint: 'Read everything, including prompts.' },
  { scope: 'manage', hint: 'Change prompts, datasets and settings, and read.' },
  {
    scope: 'operate',
    hint: 'Export and import the whole workspace; in the first workspace, also download backups of all workspaces. Anyone with this key can read and change everything.',
  },
]

const lives = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const

const dayMs = 86_400_000

interface NewKeyDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks what a key is for, and shows its secret, which is told this once. */
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
  const offered = scopes.filter(({ scope }) => scope !== 'operate' || may('owner'))
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set(['ingest', 'read']))
  const [life, setLife] = useState<(typeof lives)[number]['value']>('never')
  const create = useChange('keys.create', {
    refreshes: ['keys.list'],
    showsErrors: true,
    onDone: ({ secret }) => onMade(secret),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({
      name: name.trim(),
      scopes: scopes.map(({ scope }) => scope).filter((scope) => chosen.has(scope)),
      ...(life !== 'never' && { expiresAt: new Date(Date.now() + Number(life) * dayMs).toISOString() }),
    })
  }
  const toggle = (scope: Scope, isOn: boolean): void => {
    const next = new Set(chosen)
    if (isOn) next.add(scope)
    else next.delete(scope)
    setChosen(next)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name" hint="The application or person that uses the key.">
        <Input
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoFocus
          required
          maxLength={128}
        />
      </Field>
      <Group label="Scopes">
        <div className="flex flex-col gap-2">
          {offered.map(({ scope, hint }) => (
            <LabelledCheckbox
              key={scope}
              label={scope}
              hint={hint}
              isChecked={chosen.has(scope)}
              onChange={(isOn) => toggle(scope, isOn)}
            />
          ))}
        </div>
      </Group>
      <Field label="Expires">
        <Select choices={lives} value={life} onChange={setLife} />
      </Field>
      <FormActions
        action="Create"
        onCancel={onClose}
        isDisabled={name.trim() === '' || chosen.size === 0}
        isBusy={create.isPending}
        error={create.error}
      />
    </form>
  )
}
