/** Two traces log by log: logs that only one has, changed outputs, and changes in cost. */
import type { StoredTrace } from '@plumbline/sdk'
import { ArrowLeftRight } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { useRead } from '../../app/api.ts'
import { Path, type PathStep } from '../../app/path.tsx'
import { Screen } from '../../app/screen.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LabelledCheckbox } from '../../ui/form/checkbox.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { SidePanel } from '../../ui/split-pane.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { type ReadTrace, readTrace } from '../trace/read-trace.ts'
import { traceDiffRoute } from '../trace/routes.ts'
import { isNotFound } from '../trace/use-trace.ts'
import { alignLogs } from './align.ts'
import { diffColumns } from './diff-columns.tsx'
import { DiffSummary } from './diff-summary.tsx'
import { PairPanel, TracePanel } from './pair-panel.tsx'

const TraceChooser = lazy(async () => ({ default: (await import('./trace-chooser.tsx')).TraceChooser }))

type Search = ReturnType<typeof traceDiffRoute.useSearch>

export function DiffScreen() {
  const { a, b, pair, changed } = traceDiffRoute.useSearch()
  const navigate = traceDiffRoute.useNavigate()
  const change = (next: Partial<Search>): void =>
    void navigate({ search: (previous) => ({ ...previous, ...next }), resetScroll: false })
  const first = useTrace(a)
  const second = useTrace(b)
  const failed = first.error !== null ? first : second
  return (
    <Screen
      title="Compare traces"
      heading={<Path parents={parentsOf(first.read?.trace)}>Compare</Path>}
      actions={
        a !== undefined &&
        b !== undefined && (
          <>
            <LabelledCheckbox
              label="Only differences"
              isChecked={changed === true}
              onChange={(isOn) => change({ changed: isOn || undefined })}
            />
            <Button
              size="small"
              icon={<ArrowLeftRight aria-hidden size={14} />}
              onClick={() => change({ a: b, b: a, pair: undefined })}
            >
              Swap
            </Button>
            <Button size="small" onClick={() => change({ b: undefined, pair: undefined })}>
              Choose another
            </Button>
          </>
        )
      }
    >
      {failed.error !== null ? (
        <ErrorState error={failed.error} onRetry={failed.retry} />
      ) : a === undefined || b === undefined ? (
        <>
          <p className="border-b border-line px-4 py-3 text-sm text-ink-2">
            {a === undefined
              ? 'Choose the first trace.'
              : `Choose a trace to compare with “${first.read?.trace.name ?? 'this one'}”.`}
          </p>
          {(a === undefined || first.read !== undefined) && (
            <Suspense fallback={<SkeletonRows />}>
              <TraceChooser
                likeTrace={first.read?.trace}
                onChoose={(id) => change(a === undefined ? { a: id } : { b: id })}
              />
            </Suspense>
          )}
        </>
      ) : first.read === undefined || second.read === undefined ? (
        <SkeletonRows />
      ) : (
        <Comparison
          before={first.read}
          after={second.read}
          pair={pair}
          isChangedOnly={changed === true}
          onPair={(next) => change({ pair: next })}
        />
      )}
    </Screen>
  )
}

const list: PathStep = { label: 'Traces', link: { to: '/traces' } }

const parentsOf = (trace: StoredTrace | undefined): readonly PathStep[] =>
  trace === undefined
    ? [list]
    : [list, { label: trace.name, link: { to: '/traces/$id', params: { id: trace.id } } }]

function useTrace(id: string | undefined): {
  readonly read: ReadTrace | undefined
  readonly error: Error | null
  readonly retry: () => void
} {
  const answer = useRead('traces.get', { id: id ?? '' }, { enabled: id !== undefined })
  // While the next trace loads, the response still belongs to the previous one.
  const trace = answer.data?.trace.id === id ? answer.data?.trace : undefined
  const read = useMemo(() => trace && readTrace(trace), [trace])
  // A loaded trace stays if a later read fails, unless it was deleted.
  const isShown = read !== undefined && !isNotFound(answer.error)
  return {
    read,
    error: id === undefined || isShown ? null : answer.error,
    retry: () => void answer.refetch(),
  }
}

/** In the URL, refers to the traces themselves instead of a pair of logs. */
const wholeTraces = 'trace'

interface ComparisonProps {
  readonly before: ReadTrace
  readonly after: ReadTrace
  readonly pair: string | undefined
  readonly isChangedOnly: boolean
  readonly onPair: (pair: string | undefined) => void
}

function Comparison({ before, after, pair, isChangedOnly, onPair }: ComparisonProps) {
  const rows = useMemo(() => alignLogs(before.nodes, after.nodes), [before, after])
  const visibleRows = useMemo(
    () => (isChangedOnly ? rows.filter(({ change }) => change !== 'same') : rows),
    [rows, isChangedOnly],
  )
  const openPair = rows.find(({ id }) => id === pair)
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <DiffSummary
          before={before.trace}
          after={after.trace}
          rows={rows}
          onOpen={() => onPair(wholeTraces)}
        />
        <DataTable
          label="Logs of both traces"
          columns={diffColumns}
          rows={visibleRows}
          rowId={({ id }) => id}
          openId={pair}
          onOpen={({ id }) => onPair(id)}
          empty={
            <EmptyState title={rows.length === 0 ? 'No logs' : 'No differences'}>
              {rows.length === 0
                ? 'Neither trace has logs.'
                : 'Every log has a match in the other trace, with the same input and output.'}
            </EmptyState>
          }
        />
      </div>
      {pair === wholeTraces && (
        <SidePanel name="trace-diff" label="The traces" initialPx={560} onClose={() => onPair(undefined)}>
          <TracePanel before={before.trace} after={after.trace} onClose={() => onPair(undefined)} />
        </SidePanel>
      )}
      {openPair !== undefined && (
        <SidePanel name="trace-diff" label="Log pair" initialPx={560} onClose={() => onPair(undefined)}>
          <PairPanel
            pair={openPair}
            a={before.trace.id}
            b={after.trace.id}
            onClose={() => onPair(undefined)}
          />
        </SidePanel>
      )}
    </div>
  )
}
