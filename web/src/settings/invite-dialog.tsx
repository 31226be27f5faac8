import { type FormEvent, useState } from 'react'
import { useChange } from '../app/api.ts'
import type { Role } from '../app/session.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { Select } from '../ui/select.tsx'
import type { OneTimeLink } from './link-dialog.tsx'
import { givableRoles } from './member-rules.ts'

interface InviteDialogProps {
  readonly isOpen: boolean
  readonly role: Role
  readonly onClose: () => void
  readonly onInvited: (link: OneTimeLink) => void
}

/** Asks whom to invite as what. */
export function InviteDialog({ isOpen, role, onClose, onInvited }: InviteDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Invite a person"
      description="You get a link to share. It works once and expires after seven days."
    >
      <InviteForm role={role} onClose={onClose} onInvited={onInvited} />
    </Dialog>
  )
}

function InviteForm({ role: own, onClose, onInvited }: Omit<InviteDialogProps, 'isOpen'>) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const invite = useChange('invitations.create', {
    refreshes: ['invitations.list'],
    showsErrors: true,
    onDone: ({ invitation, url }) => {
      onClose()
      onInvited({
        title: `Send this link to ${invitation.email}`,
        hint: 'You won’t see it again. It works once and expires after seven days.',
        url,
      })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    invite.mutate({ email: email.trim(), role })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="E-mail" hint="Only the person with this address can accept it.">
        <Input
          type="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          autoFocus
          required
          maxLength={254}
        />
      </Field>
      <Field label="Role">
        <Select choices={givableRoles(own)} value={role} onChange={setRole} />
      </Field>
      <FormActions
        action="Invite"
        onCancel={onClose}
        isDisabled={email.trim() === ''}
        isBusy={invite.isPending}
        error={invite.error}
      />
    </form>
  )
}
