/** The members of the workspace with their roles, and pending invitations. */
import type { Member } from '@plumbline/sdk'
import { UserPlus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useChange, useRead } from '../../app/api.ts'
import { useCommands } from '../../app/palette/commands.tsx'
import { useSession } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lateDialog } from '../../ui/overlay/late-dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { LinkDialog, type OneTimeLink } from '../accounts/link-dialog.tsx'
import { mailedLink } from '../accounts/mailed-link.ts'
import { membersRoute } from '../routes.ts'
import { InvitationList } from './invitation-list.tsx'
import { memberColumns } from './member-columns.tsx'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'

const InviteDialog = lateDialog(async () => (await import('./invite-dialog.tsx')).InviteDialog)

const rowId = ({ id }: Member): string => id
const none: readonly Member[] = []

export function MembersTab() {
  const { sort } = membersRoute.useSearch()
  const navigate = membersRoute.useNavigate()
  const { session, may } = useSession()
  const list = useRead('members.list', {})
  const members = list.data?.members
  const [isInviting, setInviting] = useState(false)
  const [link, setLink] = useState<OneTimeLink>()
  const [removing, setRemoving] = useState<Member>()
  const mayChange = may('admin')
  const toasts = useToasts()
  const { mutate: changeRole } = useChange('members.update', {
    refreshes: ['members.list', 'session.get'],
    onDone: ({ member }) => toasts.done(`${member.name} is now ${member.role}`),
  })
  const { mutate: reset } = useChange('members.reset', {
    onDone: (response, { id }) =>
      setLink(
        mailedLink(
          response,
          members?.find((member) => member.id === id)?.email ?? 'the person',
          'It lets them choose a new password and signs them out everywhere. It works once and expires after one day.',
        ),
      ),
  })
  const { person, role } = session ?? {}
  const columns = useMemo(
    () =>
      memberColumns({
        members: members ?? none,
        viewer: person && role && { id: person.id, role },
        actions: mayChange
          ? {
              onRole: ({ id }, next) => changeRole({ id, role: next }),
              onReset: ({ id }) => reset({ id }),
              onRemove: setRemoving,
            }
          : undefined,
      }),
    [members, person, role, mayChange, changeRole, reset],
  )
  useCommands(
    mayChange
      ? [{ label: 'Invite a person', words: 'member add user team', run: () => setInviting(true) }]
      : [],
  )
  if (list.isError && members === undefined)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-4 px-4 py-3">
        <p className="prose-width text-sm text-ink-2">
          Viewers read, editors change content, admins change settings, and owners manage owners.
          {!mayChange && ' Ask an admin to invite people or change roles.'}
        </p>
        {mayChange && (
          <Button look="primary" icon={<UserPlus aria-hidden size={14} />} onClick={() => setInviting(true)}>
            Invite a person
          </Button>
        )}
      </div>
      <div className="flex min-h-60 flex-1 flex-col border-t border-line">
        <DataTable
          label="Members"
          columns={columns}
          rows={members}
          rowId={rowId}
          sort={sort}
          onSort={(next) => void navigate({ search: (previous) => ({ ...previous, sort: next }) })}
        />
      </div>
      {mayChange && <InvitationList />}
      {role !== undefined && (
        <InviteDialog
          isOpen={isInviting}
          role={role}
          onClose={() => setInviting(false)}
          onInvited={setLink}
        />
      )}
      <LinkDialog link={link} onClose={() => setLink(undefined)} />
      <RemoveMemberDialog
        member={removing}
        isOneself={removing?.id === person?.id}
        onClose={() => setRemoving(undefined)}
      />
    </>
  )
}
