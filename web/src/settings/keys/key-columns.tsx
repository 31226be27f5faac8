import type { ApiKey } from '@plumbline/sdk'
import { Ban } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { buttonsColumn } from '../../ui/table/named-columns.tsx'
import { RelativeTime } from '../../ui/text/values.tsx'

function State({ revokedAt, expiresAt }: ApiKey) {
  if (revokedAt !== undefined) return <Badge tone="bad">Revoked</Badge>
  if (expiresAt === undefined) return <span className="text-ink-3">Never expires</span>
  if (new Date(expiresAt) <= new Date()) return <Badge tone="warn">Expired</Badge>
  return (
    <>
      Expires <RelativeTime time={expiresAt} />
    </>
  )
}

/** The columns of the keys; without `onRevoke` for users who may not revoke. */
export const keyColumns = (onRevoke: ((key: ApiKey) => void) | undefined): readonly Column<ApiKey>[] => [
  {
    id: 'name',
    header: 'Name',
    width: 152,
    grow: 2,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ name }) => (
      <span className="font-medium" title={name}>
        {name}
      </span>
    ),
  },
  {
    id: 'prefix',
    header: 'Prefix',
    width: 108,
    cell: ({ prefix }) => <code className="font-mono text-xs text-ink-2">{prefix}…</code>,
  },
  {
    id: 'scopes',
    header: 'Scopes',
    width: 240,
    cell: ({ scopes }) => (
      <span className="flex gap-1">
        {scopes.map((scope) => (
          <Badge key={scope}>{scope}</Badge>
        ))}
      </span>
    ),
  },
  {
    id: 'state',
    header: 'Expiry',
    width: 120,
    grow: 1,
    sortBy: ({ revokedAt, expiresAt }) => revokedAt ?? expiresAt ?? '9',
    cell: (key) => <State {...key} />,
  },
  {
    id: 'used',
    header: 'Last used',
    width: 92,
    sortBy: ({ lastUsedAt }) => lastUsedAt ?? '',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === undefined ? (
        <span className="text-ink-3">Never</span>
      ) : (
        <RelativeTime time={lastUsedAt} />
      ),
  },
  {
    id: 'created',
    header: 'Created',
    width: 92,
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
  },
  ...(onRevoke
    ? [
        buttonsColumn<ApiKey>(
          1,
          (key) =>
            key.revokedAt === undefined && (
              <IconButton size="small" label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
                <Ban aria-hidden size={14} />
              </IconButton>
            ),
        ),
      ]
    : []),
]
