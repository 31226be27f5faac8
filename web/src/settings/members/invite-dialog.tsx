import schema from '@plumbline/sdk/input-schemas?invitations.create'
import type { Role } from '../../app/session.tsx'
import { useOperationForm } from '../../app/use-operation-form.ts'
import { SelectField, TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import type { OneTimeLink } from '../accounts/link-dialog.tsx'
import { mailedLink } from '../accounts/mailed-link.ts'
import { givableRoles } from './member-rules.ts'

interface InviteDialogProps {
  readonly isOpen: boolean
  readonly role: Role
  readonly onClose: () => void
  readonly onInvited: (link: OneTimeLink) => void
}

/** Invites a person, with a role. */
export function InviteDialog({ isOpen, role, onClose, onInvited }: InviteDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Invite a person"
      description="The link works once and expires after seven days."
    >
      <InviteForm role={role} onClose={onClose} onInvited={onInvited} />
    </Dialog>
  )
}

function InviteForm({ role: own, onClose, onInvited }: Omit<InviteDialogProps, 'isOpen'>) {
  const form = useOperationForm('invitations.create', {
    schema,
    initial: { email: '', role: 'editor' as Role },
    toInput: ({ email, role }) => ({ email: email.trim(), role }),
    refreshes: ['invitations.list'],
    onDone: ({ invitation, ...response }) => {
      onClose()
      onInvited(mailedLink(response, invitation.email, 'It works once and expires after seven days.'))
    },
  })
  return (
    <Form form={form} action="Invite" onCancel={onClose}>
      <TextField
        form={form}
        name="email"
        type="email"
        label="E-mail"
        hint="Only the person with this address can accept it."
        autoFocus
        maxLength={254}
      />
      <SelectField form={form} name="role" label="Role" choices={givableRoles(own)} />
    </Form>
  )
}
