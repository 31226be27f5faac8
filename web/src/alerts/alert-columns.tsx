import type { Alert } from '@plumbline/sdk'
import { BellOff } from 'lucide-react'
import { Sparkline } from '../ui/charts/sparkline.tsx'
import type { Column } from '../ui/table/columns.ts'
import { nothing } from '../ui/text/format.ts'
import { RelativeTime } from '../ui/text/values.tsx'
import { measures } from './measures.ts'
import { StateBadge, useIsMuted } from './state-badge.tsx'

const order: Readonly<Record<Alert['state'], number>> = { firing: 0, pending: 1, ok: 2 }

/** The columns of a narrow table, which shows the condition below the name. */
export const narrowColumns: readonly string[] = ['state', 'name', 'value']

/** The columns of alerts; channels are shown by their names. */
export const alertColumns = (
  channelNames: ReadonlyMap<string, string>,
  isNarrow: boolean,
): readonly Column<Alert>[] => [
  {
    id: 'state',
    header: 'State',
    width: isNarrow ? 96 : 104,
    sortBy: ({ state, isEnabled }) => (isEnabled ? order[state] : 3),
    cell: (alert) => (
      <span className="flex items-center gap-1.5">
        <StateBadge {...alert} />
        <Muted alert={alert} />
      </span>
    ),
  },
  {
    id: 'name',
    header: 'Name',
    width: 144,
    grow: 2,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ name, summary }) => (
      <span className="flex min-w-0 flex-col">
        <span dir="auto" className="truncate font-medium" title={name}>
          {name}
        </span>
        {isNarrow && (
          <span className="truncate text-xs text-ink-3" title={summary}>
            {summary}
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'rule',
    header: 'Condition',
    width: 200,
    grow: 3,
    cell: ({ summary }) => (
      <span className="text-ink-2" title={summary}>
        {summary}
      </span>
    ),
  },
  {
    id: 'value',
    header: 'Value',
    width: 96,
    align: 'right',
    sortBy: ({ value }) => value ?? Number.NEGATIVE_INFINITY,
    cell: ({ value, measure, samples, state }) => (
      <span
        className={`numbers ${state === 'firing' ? 'font-medium text-bad' : value === null ? 'text-ink-3' : ''}`}
        title={`${samples} samples`}
      >
        {value === null ? nothing : measures[measure].format(value)}
      </span>
    ),
  },
  {
    id: 'recent',
    header: 'Recent values',
    width: 104,
    cell: ({ recent, state, name }) =>
      recent.length < 2 ? null : (
        <Sparkline
          label={`Recent values of ${name}`}
          values={recent.map(({ value }) => value)}
          color={state === 'firing' ? 'bad' : 1}
        />
      ),
  },
  {
    id: 'since',
    header: 'Since',
    width: 104,
    sortBy: ({ since }) => since ?? '',
    cell: ({ since }) => <RelativeTime time={since} />,
  },
  {
    id: 'channels',
    header: 'Notifies',
    width: 112,
    grow: 1,
    cell: ({ channelIds }) => {
      const names = channelIds.map((id) => channelNames.get(id) ?? '…').join(', ')
      return names === '' ? <span className="text-ink-3">Nobody</span> : <span title={names}>{names}</span>
    },
  },
]

function Muted({ alert }: { readonly alert: Alert }) {
  return useIsMuted(alert) ? (
    <span title="Snoozed: no notifications are sent">
      <BellOff role="img" aria-label="Snoozed" size={14} className="text-ink-3" />
    </span>
  ) : null
}
