import type { StoredTrace, TraceSummary } from '@plumbline/sdk'
import { useState } from 'react'
import { useRead } from '../../app/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LabelledCheckbox } from '../../ui/form/checkbox.tsx'
import { SearchBox } from '../../ui/form/search-box.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Duration, Money, RelativeTime, TokenSum } from '../../ui/text/values.tsx'
import { useSettled } from '../../ui/use-settled.ts'

interface TraceChooserProps {
  /**
   * The trace selected already. Only traces of its feature, or of its name if it has none, are listed: others are not
   * comparable.
   */
  readonly likeTrace: StoredTrace | undefined
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

/** The traces to compare with: the latest, or those that match a search. */
export function TraceChooser({ likeTrace, onChoose }: TraceChooserProps) {
  const [words, setWords] = useState('')
  const [isAnyTrace, setAnyTrace] = useState(false)
  const q = useSettled(words.trim())
  const featureSlug = likeTrace?.featureSlug
  const same = featureSlug ? { featureSlug } : likeTrace && { name: likeTrace.name }
  const list = useRead('traces.list', {
    limit: 100,
    ...(!isAnyTrace && same),
    ...(q !== '' && { q }),
  })
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line px-4 py-2">
        <div className="w-72 max-w-full">
          <SearchBox label="Search inputs and outputs" value={words} onChange={setWords} />
        </div>
        {same !== undefined && (
          <LabelledCheckbox
            label={featureSlug ? `Only traces of ${featureSlug}` : 'Only traces with the same name'}
            isChecked={!isAnyTrace}
            onChange={(isOnly) => setAnyTrace(!isOnly)}
          />
        )}
      </div>
      {list.isError && list.data === undefined ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable
          label="Traces to compare with"
          columns={columns}
          rows={list.data?.traces.filter(({ id }) => id !== likeTrace?.id)}
          rowId={({ id }) => id}
          onOpen={({ id }) => onChoose(id)}
          empty={
            <EmptyState
              title="Nothing to compare with"
              action={
                same !== undefined &&
                !isAnyTrace && <Button onClick={() => setAnyTrace(true)}>Show all traces</Button>
              }
            >
              {q === '' ? 'There are no other such traces.' : 'No other such traces contain these words.'}
            </EmptyState>
          }
        />
      )}
    </>
  )
}
