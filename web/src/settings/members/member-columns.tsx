import type { Member } from '@plumbline/sdk'
import { KeyRound, UserMinus } from 'lucide-react'
import type { Role } from '../../app/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { RelativeTime } from '../../ui/text/values.tsx'
import { givableRoles, type Looking, whyFixed } from './member-rules.ts'

export interface MemberActions {
  readonly onRole: (member: Member, role: Role) => void
  readonly onReset: (member: Member) => void
  readonly onRemove: (member: Member) => void
}

interface MemberList {
  readonly members: readonly Member[]
  readonly viewer: Looking | undefined
  /** Absent for users who may not change members. */
  readonly actions: MemberActions | undefined
}

/** The columns of the members table. */
export const memberColumns = ({ members, viewer, actions }: MemberList): readonly Column<Member>[] => [
  {
    id: 'name',
    header: 'Name',
    width: 140,
    grow: 2,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ id, name }) => (
      <span className="flex min-w-0 items-center gap-2">
        <span className="min-w-0 truncate font-medium" title={name}>
          {name}
        </span>
        {id === viewer?.id && <Badge>You</Badge>}
      </span>
    ),
  },
  {
    id: 'email',
    header: 'E-mail',
    width: 160,
    grow: 2,
    sortBy: ({ email }) => email,
    cell: ({ email }) => <span title={email}>{email}</span>,
  },
  {
    id: 'role',
    header: 'Role',
    width: 136,
    sortBy: ({ role }) => role,
    cell: (member) => <RoleCell member={member} members={members} viewer={viewer} actions={actions} />,
  },
  {
    id: 'joined',
    header: 'Joined',
    width: 100,
    sortBy: ({ joinedAt }) => joinedAt,
    cell: ({ joinedAt }) => <RelativeTime time={joinedAt} />,
  },
  ...(actions && viewer ? [actionsColumn(members, viewer, actions)] : []),
]

function RoleCell({ member, members, viewer, actions }: MemberList & { readonly member: Member }) {
  if (!actions || !viewer || whyFixed(member, members, viewer) !== undefined)
    return <Badge tone={member.role === 'owner' ? 'accent' : 'neutral'}>{member.role}</Badge>
  return (
    <Select
      label={`Role of ${member.name}`}
      className="h-7 w-28"
      choices={givableRoles(viewer.role)}
      value={member.role}
      onChange={(role) => role !== member.role && actions.onRole(member, role)}
    />
  )
}

const actionsColumn = (
  members: readonly Member[],
  viewer: Looking,
  { onReset, onRemove }: MemberActions,
): Column<Member> => ({
  id: 'actions',
  header: '',
  width: 252,
  align: 'right',
  cell: (member) => {
    const why = whyFixed(member, members, viewer)
    if (why !== undefined)
      return (
        <span className="truncate text-xs text-ink-3" title={why}>
          {why}
        </span>
      )
    const isOneself = member.id === viewer.id
    return (
      <span className="flex justify-end">
        {!isOneself && (
          <IconButton
            size="small"
            label={`Password reset link for ${member.name}`}
            onClick={() => onReset(member)}
          >
            <KeyRound aria-hidden size={14} />
          </IconButton>
        )}
        <IconButton
          size="small"
          label={isOneself ? 'Leave the workspace' : `Remove ${member.name}`}
          onClick={() => onRemove(member)}
        >
          <UserMinus aria-hidden size={14} />
        </IconButton>
      </span>
    )
  },
})
