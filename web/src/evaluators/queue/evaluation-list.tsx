/** Evaluations in a table, one of them open beside it; what failed can be tried again. Of one evaluator, or of all. */
import type { Evaluation, Evaluator } from '@plumbline/sdk'
import { ListChecks } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SidePanel } from '../../ui/split-pane.tsx'
import { evaluationColumns } from './evaluation-columns.tsx'
import { EvaluationPanel } from './evaluation-panel.tsx'
import { RetryBar } from './retry-bar.tsx'
import { type Status, statusWords } from './status-badge.tsx'
import type { useEvaluations } from './use-evaluations.ts'
import { type Lane, waitingReason } from './waiting-reason.ts'

interface EvaluationListProps {
  readonly query: ReturnType<typeof useEvaluations>
  readonly status: Status | undefined
  /** The one whose evaluations are listed; all are where absent. */
  readonly evaluatorSlug: string | undefined
  /** Whether the screen is of that evaluator: its name stands there already. */
  readonly isOfOne?: boolean
  readonly evaluators: readonly Evaluator[]
  readonly openId: string | undefined
  readonly onOpen: (id: string | undefined) => void
}

const rowId = ({ id }: Evaluation): string => id
const none: ReadonlySet<string> = new Set()
const noLanes: readonly Lane[] = []

export function EvaluationList(props: EvaluationListProps) {
  const { query, status, evaluatorSlug, isOfOne = false, evaluators, openId, onOpen } = props
  const { may } = useSession()
  const [chosen, setChosen] = useState(none)
  const nameOf = useMemo(() => {
    const names = new Map(evaluators.map(({ slug, name }) => [slug, name]))
    return (slug: string): string => names.get(slug) ?? slug
  }, [evaluators])
  const lanes = query.lanes ?? noLanes
  const columns = useMemo(
    () => evaluationColumns(isOfOne ? undefined : nameOf, lanes),
    [isOfOne, nameOf, lanes],
  )
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const opened = query.items.find(({ id }) => id === openId)
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
            chosen={chosen}
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
          {...(canRetry && { selection: { ids: chosen, onChange: setChosen } })}
          onEnd={query.loadMore}
          empty={<NoEvaluations status={status} isOfOne={evaluatorSlug !== undefined} />}
        />
      </div>
      {opened !== undefined && (
        <SidePanel name="evaluation" label="The evaluation" initialPx={440} onClose={() => onOpen(undefined)}>
          <EvaluationPanel
            evaluation={opened}
            waits={waitingReason(opened, lanes)}
            name={nameOf(opened.evaluatorSlug)}
            onClose={() => onOpen(undefined)}
          />
        </SidePanel>
      )}
    </div>
  )
}

function NoEvaluations({
  status,
  isOfOne,
}: {
  readonly status: Status | undefined
  readonly isOfOne: boolean
}) {
  if (status === 'failed')
    return <EmptyState title="Nothing has failed">Every evaluation ended with a verdict.</EmptyState>
  if (status !== undefined)
    return (
      <EmptyState title={`None is ${statusWords[status].label.toLowerCase()}`}>
        Choose the number again to see all of them.
      </EmptyState>
    )
  return (
    <EmptyState icon={<ListChecks size={20} />} title="Nothing was judged in the last days">
      {isOfOne ? 'A trace' : 'An evaluation is one judging of a trace by an evaluator. A trace'} is judged
      when it names the evaluator and was drawn, or when you choose traces and press “Judge with…”. What ended
      is listed for seven days; its score stays.
    </EmptyState>
  )
}
