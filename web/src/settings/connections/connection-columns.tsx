import type { Connection } from '@plumbline/sdk'
import { PlugZap } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { Meter } from '../../ui/charts/meter.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { actionsColumn, nameColumn } from '../../ui/table/named-columns.tsx'
import { exactNumber, formatMoney } from '../../ui/text/format.ts'
import { Money, Nothing, RelativeTime } from '../../ui/text/values.tsx'
import { providerLabels } from './connection-providers.ts'

interface ConnectionActions {
  readonly onTest: (connection: Connection) => void
  readonly onEdit: (connection: Connection) => void
  readonly onDelete: (connection: Connection) => void
}

/** The columns of the connections; without actions for viewers. */
export const connectionColumns = (actions: ConnectionActions | undefined): readonly Column<Connection>[] => [
  nameColumn({ width: 200, grow: 3 }),
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
    grow: 2,
    cell: ({ baseUrl, region }) =>
      baseUrl === undefined && region === undefined ? (
        <span className="text-ink-3">Provider default</span>
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
    grow: 1,
    cell: ({ models }) =>
      models.length === 0 ? (
        <span className="text-ink-3">None listed</span>
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
    id: 'spent',
    header: 'Spent today',
    width: 224,
    sortBy: ({ spentToday }) => spentToday,
    cell: (connection) => <SpentToday connection={connection} />,
  },
  {
    id: 'key',
    header: 'Key',
    width: 88,
    cell: ({ keyEnd }) =>
      keyEnd === undefined ? <Nothing /> : <code className="font-mono text-xs text-ink-2">…{keyEnd}</code>,
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
          first: { verb: 'Test', icon: PlugZap, onPress: actions.onTest },
        }),
      ]
    : []),
]

/** Compared with its daily limit. */
function SpentToday({ connection }: { readonly connection: Connection }) {
  const { name, spentToday, spendMaxPerDay } = connection
  if (spendMaxPerDay === undefined)
    return (
      <span className="flex items-center gap-2 text-xs">
        <Money value={spentToday} />
        <span className="text-ink-3">no limit</span>
      </span>
    )
  const spendLabel = `$${exactNumber(spentToday)} of $${exactNumber(spendMaxPerDay)} since midnight UTC, by evaluators and experiment runs`
  return (
    <Meter
      label={`Spent with ${name} today`}
      value={spentToday}
      max={spendMaxPerDay}
      format={formatMoney}
      title={spentToday < spendMaxPerDay ? spendLabel : `${spendLabel}.\nNothing more starts until tomorrow.`}
    />
  )
}
