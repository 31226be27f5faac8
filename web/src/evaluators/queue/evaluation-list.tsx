/** Evaluations of one evaluator or of all in a table, an open one beside it; failed ones can be retried. */
import type { Evaluation, Evaluator } from '@plumbline/sdk'
import { ListChecks } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { useTraceNames } from '../../traces/use-traces-by-id.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SidePanel } from '../../ui/split-pane.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { evaluationColumns } from './evaluation-columns.tsx'
import { EvaluationPanel } from './evaluation-panel.tsx'
import { RetryBar } from './retry-bar.tsx'
import type { Status } from './status-badge.tsx'
import type { useEvaluations } from './use-evaluations.ts'
import { type ConcurrencyGroup, waitingReason } from './waiting-reason.ts'

interface EvaluationListProps {
  readonly query: ReturnType<typeof useEvaluations>
  readonly status: Status | undefined
  /** Lists only this evaluator's evaluations; all if absent. */
  readonly evaluatorSlug: string | undefined
  /** Whether the screen is that of one evaluator, and already shows its name. */
  readonly isOfOne?: boolean
  readonly evaluators: readonly Evaluator[]
  readonly openId: string | undefined
  readonly onOpen: (id: string | undefined) => void
}

const rowId = ({ id }: Evaluation): string => id
const none: ReadonlySet<string> = new Set()
const noGroups: readonly ConcurrencyGroup[] = []

export function EvaluationList(props: EvaluationListProps) {
  const { query, status, evaluatorSlug, isOfOne = false, evaluators, openId, onOpen } = props
  const { may } = useSession()
  const [selection, setChosen] = useState(none)
  const nameOf = useMemo(() => {
    const names = new Map(evaluators.map(({ slug, name }) => [slug, name]))
    return (slug: string): string => names.get(slug) ?? slug
  }, [evaluators])
  const groups = query.groups ?? noGroups
  const nameOfTrace = useTraceNames(query.items.map(({ traceId }) => traceId))
  const columns = useMemo(
    () => evaluationColumns(isOfOne ? undefined : nameOf, groups, nameOfTrace),
    [isOfOne, nameOf, groups, nameOfTrace],
  )
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const openEvaluation = query.items.find(({ id }) => id === openId)
  const canRetry = status === 'failed' && may('editor') && query.items.length > 0
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-60 min-w-0 flex-1 flex-col">
        {canRetry && (
          <RetryBar
            failed={query.counts?.failed ?? 0}
            evaluator={
              evaluatorSlug === undefined ? undefined : { slug: evaluatorSlug, name: nameOf(evaluatorSlug) }
            }
            selection={selection}
            onClear={() => setChosen(none)}
          />
        )}
        <DataTable
          label="Evaluations"
          columns={columns}
          rows={query.data === undefined ? undefined : query.items}
          rowId={rowId}
          openId={openId}
          onOpen={({ id }) => onOpen(id)}
          {...(canRetry && { selection: { ids: selection, onChange: setChosen } })}
          more={query.more}
          empty={<NoEvaluations status={status} isOfOne={evaluatorSlug !== undefined} />}
        />
      </div>
      {openEvaluation !== undefined && (
        <SidePanel name="evaluation" label="Evaluation" initialPx={440} onClose={() => onOpen(undefined)}>
          <EvaluationPanel
            evaluation={openEvaluation}
            waits={waitingReason(openEvaluation, groups)}
            name={nameOf(openEvaluation.evaluatorSlug)}
            onClose={() => onOpen(undefined)}
          />
        </SidePanel>
      )}
    </div>
  )
}

const emptyTitles: Readonly<Record<Status, string>> = {
  waiting: 'Nothing is waiting',
  running: 'Nothing is running',
  done: 'Nothing has finished yet',
  skipped: 'Nothing was skipped',
  failed: 'No failures',
}

function NoEvaluations({
  status,
  isOfOne,
}: {
  readonly status: Status | undefined
  readonly isOfOne: boolean
}) {
  if (status === 'failed')
    return <EmptyState title={emptyTitles.failed}>Every evaluation finished.</EmptyState>
  if (status !== undefined)
    return (
      <EmptyState title={emptyTitles[status]}>Select the number again to see all evaluations.</EmptyState>
    )
  return (
    <EmptyState icon={<ListChecks size={20} />} title="No recent evaluations">
      {isOfOne ? 'A trace' : 'An evaluation runs one evaluator on one trace. A trace'} is evaluated when it
      names the evaluator and is sampled, or when you select traces and choose “Evaluate…”. Finished
      evaluations are listed for seven days; scores are kept.
    </EmptyState>
  )
}
