import type { ApiKey, LedgerEntry } from '@plumbline/sdk'
import { Badge } from '../ui/badge.tsx'
import type { Column } from '../ui/table/columns.ts'
import { ExactCount, ExactTime } from '../ui/text/values.tsx'
import { senderName } from './sender-name.ts'
import type { CountName } from './sum-entries.ts'

/** The id of an entry in the URL: its hour and its key. */
export const entryId = ({ hour, apiKeyId }: LedgerEntry): string => `${hour.slice(0, 13)}.${apiKeyId}`

const countColumn = (id: CountName, header: string): Column<LedgerEntry> => ({
  id,
  header,
  width: 112,
  align: 'right',
  sortBy: (entry) => entry[id],
  cell: (entry) => <ExactCount value={entry[id]} />,
})

/** The columns of the ledger; keys are shown by name. */
export const columnsOf = (keys: readonly ApiKey[] | undefined): readonly Column<LedgerEntry>[] => [
  {
    id: 'hour',
    header: 'Hour',
    width: 168,
    sortBy: ({ hour }) => hour,
    cell: ({ hour }) => <ExactTime time={hour} />,
  },
  {
    id: 'key',
    header: 'API key',
    width: 160,
    grow: 1,
    sortBy: (entry) => senderName(entry, keys),
    cell: (entry) => <span title={entry.apiKeyId}>{senderName(entry, keys)}</span>,
  },
  countColumn('received', 'Received'),
  countColumn('stored', 'Stored'),
  countColumn('deduplicated', 'Duplicates'),
  {
    ...countColumn('rejected', 'Rejected'),
    cell: ({ rejected }) => (
      <span className={rejected > 0 ? 'text-bad' : undefined}>
        <ExactCount value={rejected} />
      </span>
    ),
  },
  countColumn('sampledOut', 'Sampled out'),
  {
    id: 'reasons',
    header: 'Reasons',
    width: 200,
    grow: 1,
    cell: ({ reasons }) => (
      <span className="flex gap-1 overflow-hidden">
        {reasons.map(({ reason, count }) => (
          <Badge key={reason} tone="bad">
            {reason} {count}
          </Badge>
        ))}
      </span>
    ),
  },
]
