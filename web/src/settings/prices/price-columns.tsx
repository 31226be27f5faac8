import type { PriceOverride } from '@plumbline/sdk'
import { Trash2 } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { buttonsColumn } from '../../ui/table/named-columns.tsx'
import { ExactTime, Money } from '../../ui/text/values.tsx'

type PriceName = 'inputPerMillion' | 'outputPerMillion' | 'cacheReadPerMillion' | 'cacheWritePerMillion'

const price = (id: PriceName, header: string, width: number): Column<PriceOverride> => ({
  id,
  header,
  width,
  align: 'right',
  sortBy: (row) => row[id] ?? -1,
  cell: (row) => <Money value={row[id]} />,
})

/** The columns of a workspace's own prices; without `onDelete` for users who may not delete. */
export const priceColumns = (
  onDelete: ((price: PriceOverride) => void) | undefined,
): readonly Column<PriceOverride>[] => [
  {
    id: 'model',
    header: 'Model',
    width: 160,
    grow: 2,
    sortBy: ({ model }) => model,
    cell: ({ model }) => (
      <code className="font-mono text-xs" title={model}>
        {model}
      </code>
    ),
  },
  {
    id: 'provider',
    header: 'Provider',
    width: 110,
    grow: 1,
    sortBy: ({ provider }) => provider ?? '',
    cell: ({ provider }) => provider ?? <span className="text-ink-3">Any</span>,
  },
  price('inputPerMillion', 'Input', 84),
  price('outputPerMillion', 'Output', 84),
  price('cacheReadPerMillion', 'Cache read', 92),
  price('cacheWritePerMillion', 'Cache write', 96),
  {
    id: 'starts',
    header: 'Valid from',
    width: 156,
    sortBy: ({ startsAt }) => startsAt ?? '',
    cell: ({ startsAt }) =>
      startsAt === undefined ? <span className="text-ink-3">Always</span> : <ExactTime time={startsAt} />,
  },
  ...(onDelete
    ? [
        buttonsColumn<PriceOverride>(1, (row) => (
          <IconButton size="small" label={`Delete the price of ${row.model}`} onClick={() => onDelete(row)}>
            <Trash2 aria-hidden size={14} />
          </IconButton>
        )),
      ]
    : []),
]
