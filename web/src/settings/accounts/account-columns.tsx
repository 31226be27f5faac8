import type { Account } from '@plumbline/sdk'
import { Lock, LockOpen, Trash2 } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { RelativeTime } from '../../ui/text/values.tsx'

export interface AccountActions {
  readonly onLock: (account: Account) => void
  readonly onUnlock: (account: Account) => void
  readonly onDelete: (account: Account) => void
}

/** The columns of the accounts of the installation; `ownId` is the signed-in user, whose own account has no actions. */
export const accountColumns = (
  ownId: string | undefined,
  { onLock, onUnlock, onDelete }: AccountActions,
): readonly Column<Account>[] => [
  {
    id: 'name',
    header: 'Name',
    width: 140,
    grow: 2,
    cell: ({ id, name, lockedAt }) => (
      <span className="flex min-w-0 items-center gap-2">
        <span className="min-w-0 truncate font-medium" title={name}>
          {name}
        </span>
        {id === ownId && <Badge>You</Badge>}
        {lockedAt !== undefined && <Badge tone="bad">locked</Badge>}
      </span>
    ),
  },
  {
    id: 'email',
    header: 'E-mail',
    width: 160,
    grow: 2,
    cell: ({ email }) => <span title={email}>{email}</span>,
  },
  {
    id: 'workspaces',
    header: 'Workspaces',
    width: 160,
    grow: 2,
    cell: ({ workspaces }) => {
      const names = workspaces.map(({ name, role }) => `${name} (${role})`).join(', ')
      return names === '' ? <span className="text-ink-3">none</span> : <span title={names}>{names}</span>
    },
  },
  {
    id: 'used',
    header: 'Last used',
    width: 100,
    cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? '' : <RelativeTime time={lastUsedAt} />),
  },
  {
    id: 'actions',
    header: '',
    width: 80,
    align: 'right',
    cell: (account) =>
      account.id === ownId ? null : (
        <span className="flex justify-end">
          {account.lockedAt === undefined ? (
            <IconButton size="small" label={`Lock ${account.name}`} onClick={() => onLock(account)}>
              <Lock aria-hidden size={14} />
            </IconButton>
          ) : (
            <IconButton size="small" label={`Unlock ${account.name}`} onClick={() => onUnlock(account)}>
              <LockOpen aria-hidden size={14} />
            </IconButton>
          )}
          <IconButton size="small" label={`Delete ${account.name}`} onClick={() => onDelete(account)}>
            <Trash2 aria-hidden size={14} />
          </IconButton>
        </span>
      ),
  },
]
