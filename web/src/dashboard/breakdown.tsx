/** The figures of each feature, model, version, user or customer. */
import { useMemo } from 'react'
import type { Column } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { formatPercent, nothing } from '../ui/text/format.ts'
import { Count, Duration, Money, Tokens } from '../ui/text/values.tsx'
import { type Grouping, keyOf, labelOf, type Row } from './groupings.ts'

interface BreakdownProps {
  readonly grouping: Grouping
  readonly rows: readonly Row[] | undefined
  readonly sort: string | undefined
  readonly onSort: (sort: string | undefined) => void
  readonly onOpen: (key: string) => void
}

const rowsMax = 12

export function Breakdown({ grouping, rows, sort, onSort, onOpen }: BreakdownProps) {
  const columns = useMemo(() => columnsOf(grouping), [grouping])
  const rowCount = Math.min(Math.max(rows?.length ?? 4, 1), rowsMax)
  return (
    <div
      className="flex flex-col overflow-hidden"
      style={{ height: `calc(${rowCount} * var(--row) + 34px)`, minHeight: 120 }}
    >
      <DataTable
        label={`By ${grouping.label.toLowerCase()}`}
        columns={columns}
        rows={rows}
        rowId={(row) => keyOf(grouping, row)}
        sort={sort ?? '-traces'}
        onSort={onSort}
        onOpen={(row) => onOpen(keyOf(grouping, row))}
        empty={<p className="p-6 text-center text-sm text-ink-3">No data in this range</p>}
      />
    </div>
  )
}

const numberOf = (row: Row, name: string): number | null => {
  const value = row[name]
  return typeof value === 'number' ? value : null
}

/** Unknown values sort last. */
const figure = (
  id: string,
  header: string,
  show: (value: number | null) => React.ReactNode,
  width = 92,
): Column<Row> => ({
  id,
  header,
  width,
  align: 'right',
  sortBy: (row) => numberOf(row, id) ?? Number.NEGATIVE_INFINITY,
  cell: (row) => show(numberOf(row, id)),
})

const duration = (value: number | null) => <Duration value={value} />

const columnsOf = (grouping: Grouping): readonly Column<Row>[] => [
  {
    id: 'key',
    header: grouping.label,
    width: 180,
    grow: 1,
    isFixed: true,
    sortBy: (row) => labelOf(keyOf(grouping, row)).toLowerCase(),
    cell: (row) => {
      const label = labelOf(keyOf(grouping, row))
      return (
        <bdi title={label} className={label === 'none' ? 'text-ink-3' : 'font-medium'}>
          {label}
        </bdi>
      )
    },
  },
  figure('traces', 'Traces', (value) => <Count value={value} />, 84),
  figure('cost', 'Cost', (value) => <Money value={value} />),
  figure('totalTokens', 'Tokens', (value) => <Tokens value={value} />, 84),
  figure(
    'errorRate',
    'Errors',
    (value) => (
      <span className={`numbers ${value !== null && value > 0 ? 'text-bad' : 'text-ink-3'}`}>
        {value === null ? nothing : formatPercent(value)}
      </span>
    ),
    84,
  ),
  figure('avgDurationMs', 'Average', duration),
  figure('p50DurationMs', 'p50', duration),
  figure('p95DurationMs', 'p95', duration),
  figure('p99DurationMs', 'p99', duration),
]
