/** What judges, and how its scores go: evaluators, and names under which scores are posted. */
import { Link } from '@tanstack/react-router'
import { Gauge, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useRead } from '../app/api.ts'
import { useCommands } from '../app/commands.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { buttonClass } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { evaluatorColumns, type Judged } from './evaluator-columns.tsx'
import { evaluatorsRoute } from './routes.ts'
import { useTrends } from './use-trends.ts'

const rowId = ({ name }: Judged): string => name

export function EvaluatorsScreen() {
  const { sort } = evaluatorsRoute.useSearch()
  const navigate = evaluatorsRoute.useNavigate()
  const list = useRead('evaluators.list', {})
  const { trends } = useTrends()
  const evaluators = list.data?.evaluators
  const { may } = useSession()
  const rows = useMemo(() => {
    if (evaluators === undefined) return undefined
    const known = new Set(evaluators.map(({ slug }) => slug))
    const posted = [...(trends?.keys() ?? [])].filter((name) => !known.has(name)).sort()
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
    <Screen title="Evaluators" hasRange actions={newEvaluator}>
      {list.isError && rows === undefined ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable
          label="Evaluators"
          columns={evaluatorColumns}
          rows={rows}
          rowId={rowId}
          sort={sort}
          onSort={(next) => void navigate({ search: (before) => ({ ...before, sort: next }) })}
          onOpen={({ name }) => void navigate({ to: '/evaluators/$slug', params: { slug: name } })}
          empty={
            <EmptyState icon={<Gauge size={20} />} title="Nothing judges yet" action={newEvaluator}>
              An evaluator reads a trace and gives it a score: a rule, a model by a rubric, your own code, or
              a person. Try one on recorded traces before you save it.
            </EmptyState>
          }
        />
      )}
    </Screen>
  )
}
