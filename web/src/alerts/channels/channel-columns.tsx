import type { Channel } from '@plumbline/sdk'
import { Send } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { actionsColumn, nameColumn } from '../../ui/table/named-columns.tsx'
import { Count, RelativeTime } from '../../ui/text/values.tsx'
import { channelTypes } from './channel-types.ts'

interface ChannelActions {
  readonly onTest: (channel: Channel) => void
  readonly onEdit: (channel: Channel) => void
  readonly onDelete: (channel: Channel) => void
}

/** The columns of channels; without actions for viewers. */
export const channelColumns = (actions: ChannelActions | undefined): readonly Column<Channel>[] => [
  nameColumn({ width: 144, grow: 2 }),
  {
    id: 'type',
    header: 'Kind',
    width: 88,
    sortBy: ({ type }) => type,
    cell: ({ type }) => <span title={channelTypes[type].label}>{channelTypes[type].short}</span>,
  },
  {
    id: 'target',
    header: 'Destination',
    width: 160,
    grow: 2,
    cell: ({ target }) => (
      <span className="font-mono text-xs" title={target}>
        {target}
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 96,
    sortBy: ({ isEnabled }) => (isEnabled ? 1 : 0),
    cell: ({ isEnabled, problem }) =>
      isEnabled ? (
        <Badge tone="good">Enabled</Badge>
      ) : (
        <Badge tone={problem === null ? 'neutral' : 'bad'} {...(problem !== null && { title: problem })}>
          Disabled
        </Badge>
      ),
  },
  {
    id: 'alerts',
    header: 'Alerts',
    width: 72,
    align: 'right',
    sortBy: ({ alerts }) => alerts,
    cell: ({ alerts }) => <Count value={alerts} />,
  },
  {
    id: 'created',
    header: 'Created',
    width: 92,
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
  },
  ...(actions
    ? [
        actionsColumn({
          ...actions,
          first: { verb: 'Send a test message to', icon: Send, onPress: actions.onTest },
        }),
      ]
    : []),
]
