import type { Connection } from '@plumbline/sdk'
import { Pencil, PlugZap, Trash2 } from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { IconButton } from '../ui/button.tsx'
import type { Column } from '../ui/columns.ts'
import { RelativeTime } from '../ui/values.tsx'
import { providerLabels } from './connection-providers.ts'

interface ConnectionActions {
  readonly onTest: (connection: Connection) => void
  readonly onEdit: (connection: Connection) => void
  readonly onDelete: (connection: Connection) => void
}

/** The columns of the connections; without actions for who may not change them. */
export const connectionColumns = (actions: ConnectionActions | undefined): readonly Column<Connection>[] => [
  {
    id: 'name',
    header: 'Name',
    width: 152,
    grow: 1,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ name }) => (
      <span dir="auto" className="font-medium" title={name}>
        {name}
      </span>
    ),
  },
  {
    id: 'provider',
    header: 'Provider',
    width: 152,
    sortBy: ({ provider }) => provider,
    cell: ({ provider }) => providerLabels[provider],
  },
  {
    id: 'address',
    header: 'Address',
    width: 144,
    grow: 1,
    cell: ({ baseUrl, region }) =>
      baseUrl === undefined && region === undefined ? (
        <span className="text-ink-3">That of the provider</span>
      ) : (
        <span className="font-mono text-xs" title={baseUrl ?? region}>
          {baseUrl ?? region}
        </span>
      ),
  },
  {
    id: 'models',
    header: 'Models',
    width: 160,
    grow: 2,
    cell: ({ models }) =>
      models.length === 0 ? (
        <span className="text-ink-3">None named</span>
      ) : (
        <span className="flex items-center gap-1 overflow-hidden" title={models.join('\n')}>
          {models.slice(0, 3).map((model) => (
            <Badge key={model}>{model}</Badge>
          ))}
          {models.length > 3 && <span className="text-xs text-ink-3">+{models.length - 3}</span>}
        </span>
      ),
  },
  {
    id: 'key',
    header: 'Key',
    width: 88,
    cell: ({ keyEnd }) =>
      keyEnd === undefined ? (
        <span className="text-ink-3">None</span>
      ) : (
        <code className="font-mono text-xs text-ink-2">…{keyEnd}</code>
      ),
  },
  {
    id: 'created',
    header: 'Created',
    width: 92,
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
  ...(actions
    ? [
        {
          id: 'actions',
          header: '',
          width: 112,
          align: 'right' as const,
          cell: (connection: Connection) => (
            <span className="inline-flex">
              <IconButton
                size="small"
                label={`Test ${connection.name}`}
                onClick={() => actions.onTest(connection)}
              >
                <PlugZap aria-hidden size={14} />
              </IconButton>
              <IconButton
                size="small"
                label={`Change ${connection.name}`}
                onClick={() => actions.onEdit(connection)}
              >
                <Pencil aria-hidden size={14} />
              </IconButton>
              <IconButton
                size="small"
                label={`Delete ${connection.name}`}
                onClick={() => actions.onDelete(connection)}
              >
                <Trash2 aria-hidden size={14} />
              </IconButton>
            </span>
          ),
        },
      ]
    : []),
]
