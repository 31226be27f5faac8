/** Evaluators and names of posted scores, with their trends; and the queue of evaluations. */
import { Link } from '@tanstack/react-router'
import { Gauge, Plus } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { type Output, useRead } from '../app/api.ts'
import { useCommands } from '../app/palette/commands.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { formatCount } from '../ui/text/format.ts'
import { evaluatorColumns, type ScoreName } from './evaluator-columns.tsx'
import { refreshMsOf } from './queue/use-evaluations.ts'
import { evaluatorsRoute } from './routes.ts'
import { useTrends } from './scores/use-trends.ts'

const QueueTab = lazy(async () => ({ default: (await import('./queue/queue-tab.tsx')).QueueTab }))

const rowId = ({ name }: ScoreName): string => name

export function EvaluatorsScreen() {
  const { sort, view } = evaluatorsRoute.useSearch()
  const navigate = evaluatorsRoute.useNavigate()
  const list = useRead('evaluators.list', {})
  const { trends } = useTrends()
  const queue = useRead('evaluations.list', { limit: 1 }, { refreshMs: refreshMsOf }).data?.counts
  const evaluators = list.data?.evaluators
  const { may } = useSession()
  const rows = useMemo(() => {
    if (evaluators === undefined) return undefined
    const slugs = new Set(evaluators.map(({ slug }) => slug))
    const posted = [...(trends?.keys() ?? [])].filter((name) => !slugs.has(name)).sort()
    return [
      ...evaluators.map((evaluator) => ({
        name: evaluator.slug,
        evaluator,
        trend: trends?.get(evaluator.slug),
      })),
      ...posted.map((name) => ({ name, evaluator: undefined, trend: trends?.get(name) })),
    ]
  }, [evaluators, trends])
  const create = (): void => void navigate({ to: '/evaluators/new' })
  useCommands(
    may('editor') ? [{ label: 'New evaluator', words: 'create judge rule score', run: create }] : [],
  )
  useShortcuts(may('editor') ? [{ keys: 'c', label: 'New evaluator', onPress: create }] : [])
  const newEvaluator = may('editor') && (
    <Link to="/evaluators/new" className={buttonClass('primary')}>
      <Plus aria-hidden size={14} /> New evaluator
    </Link>
  )
  return (
    <Screen title="Evaluators" hasRange={view === undefined} actions={newEvaluator}>
      <Tabs
        label="Evaluators and their queue"
        tabs={[
          { value: 'evaluators', label: 'Evaluators' },
          { value: 'queue', label: <QueueLabel counts={queue} /> },
        ]}
        value={view ?? 'evaluators'}
        onChange={(next) => void navigate({ search: next === 'queue' ? { view: next } : {} })}
      >
        {view === 'queue' ? (
          <Suspense fallback={<SkeletonRows />}>
            <QueueTab />
          </Suspense>
        ) : list.isError && rows === undefined ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <div className="flex h-full flex-col">
            <DataTable
              label="Evaluators"
              columns={evaluatorColumns}
              rows={rows}
              rowId={rowId}
              sort={sort}
              onSort={(next) => void navigate({ search: (previous) => ({ ...previous, sort: next }) })}
              onOpen={({ name }) => void navigate({ to: '/evaluators/$slug', params: { slug: name } })}
              empty={
                <EmptyState icon={<Gauge size={20} />} title="No evaluators yet" action={newEvaluator}>
                  An evaluator scores traces: with a rule, an LLM judge, your own code, or people. Try it on
                  recorded traces before you save it.
                </EmptyState>
              }
            />
          </div>
        )}
      </Tabs>
    </Screen>
  )
}

function QueueLabel({ counts }: { readonly counts: Output<'evaluations.list'>['counts'] | undefined }) {
  const { waiting = 0, running = 0, failed = 0 } = counts ?? {}
  return (
    <span className="flex items-center gap-1.5">
      Queue
      {waiting + running > 0 && <Badge title="waiting or running">{formatCount(waiting + running)}</Badge>}
      {failed > 0 && (
        <Badge tone="bad" title="failed">
          {formatCount(failed)} failed
        </Badge>
      )}
    </span>
  )
}
