import type { TraceSummary } from '@plumbline/sdk'
import { useRead } from '../../app/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Duration, Money, RelativeTime, TokenSum } from '../../ui/text/values.tsx'

interface TraceChooserProps {
  /** Only traces of this feature: others have nothing in common. */
  readonly featureSlug: string | undefined
  /** The one that is chosen already. */
  readonly excludedId: string | undefined
  readonly onChoose: (traceId: string) => void
}

const columns: readonly Column<TraceSummary>[] = [
  {
    id: 'name',
    header: 'Trace',
    width: 200,
    grow: 2,
    cell: ({ name, totals }) => (
      <span className="flex items-center gap-2">
        <span dir="auto" className="truncate">
          {name}
        </span>
        {totals.errors > 0 && <Badge tone="bad">failed</Badge>}
      </span>
    ),
  },
  {
    id: 'input',
    header: 'Input',
    width: 160,
    grow: 3,
    cell: ({ inputPreview }) => (
      <span dir="auto" className="text-ink-2">
        {inputPreview?.slice(0, 200)}
      </span>
    ),
  },
  {
    id: 'started',
    header: 'Started',
    width: 120,
    cell: ({ startTime }) => <RelativeTime time={startTime} />,
  },
  {
    id: 'duration',
    header: 'Duration',
    width: 96,
    align: 'right',
    cell: ({ totals }) => <Duration value={totals.durationMs} />,
  },
  {
    id: 'cost',
    header: 'Cost',
    width: 96,
    align: 'right',
    cell: ({ totals }) => <Money value={totals.cost} isEstimate={totals.tokensEstimated} />,
  },
  {
    id: 'tokens',
    header: 'Tokens',
    width: 96,
    align: 'right',
    cell: ({ totals }) => (
      <TokenSum value={totals.inputTokens + totals.outputTokens} isEstimate={totals.tokensEstimated} />
    ),
  },
]

/** The latest traces, to choose the one to compare with. */
export function TraceChooser({ featureSlug, excludedId, onChoose }: TraceChooserProps) {
  const list = useRead('traces.list', { limit: 100, ...(featureSlug !== undefined && { featureSlug }) })
  if (list.isError && list.data === undefined)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <DataTable
      label="Traces to compare with"
      columns={columns}
      rows={list.data?.traces.filter(({ id }) => id !== excludedId)}
      rowId={({ id }) => id}
      onOpen={({ id }) => onChoose(id)}
      empty={
        <EmptyState title="Nothing to compare with">
          There is no other trace{featureSlug === undefined ? '' : ` of ${featureSlug}`}. Record another one
          first.
        </EmptyState>
      }
    />
  )
}
