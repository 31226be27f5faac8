/** How the scores of one name go: their course, how often which value, and the latest with their reasons. */
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { usePages, useRead } from '../app/api.ts'
import { useCommands } from '../app/commands.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { rangeInput, useRange } from '../app/use-range.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { formatPercent } from '../ui/format.ts'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { DeleteEvaluatorDialog } from './delete-evaluator-dialog.tsx'
import { EvaluatorPath } from './evaluator-path.tsx'
import { kinds } from './kinds.ts'
import { evaluatorRoute } from './routes.ts'
import { scoreColumns } from './score-columns.tsx'
import { ScoreOverview } from './score-overview.tsx'
import { useTrends } from './use-trends.ts'

const rowId = ({ id }: { readonly id: string }): string => id

export function EvaluatorScreen() {
  const { slug } = evaluatorRoute.useParams()
  const { sort } = evaluatorRoute.useSearch()
  const navigate = evaluatorRoute.useNavigate()
  const { range, setRange } = useRange()
  const { may } = useSession()
  const list = useRead('evaluators.list', {})
  const evaluator = list.data?.evaluators.find((one) => one.slug === slug)
  const { trends } = useTrends()
  const scores = usePages('scores.list', { name: slug, ...rangeInput(range), limit: 200 }, 'scores')
  const [isDeleting, setDeleting] = useState(false)
  const mayChange = may('editor') && evaluator !== undefined
  const edit = (): void => void navigate({ to: '/evaluators/$slug/edit', params: { slug } })
  useCommands(mayChange ? [{ label: `Edit ${evaluator.name}`, keys: 'e', run: edit }] : [])
  useShortcuts(mayChange ? [{ keys: 'e', label: 'Edit the evaluator', onPress: edit }] : [])
  return (
    <Screen
      title={evaluator?.name ?? slug}
      heading={<EvaluatorPath last={evaluator?.name ?? slug} />}
      hasRange
      actions={
        mayChange && (
          <>
            <Button icon={<Pencil aria-hidden size={14} />} onClick={edit}>
              Edit
            </Button>
            <IconButton label={`Delete ${evaluator.name}`} onClick={() => setDeleting(true)}>
              <Trash2 aria-hidden size={16} />
            </IconButton>
          </>
        )
      }
    >
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2 text-sm text-ink-2">
        {evaluator === undefined ? (
          <span>Scores of this name are posted; no evaluator here gives them.</span>
        ) : (
          <>
            <Badge tone="info">{kinds[evaluator.kind].label}</Badge>
            <Badge>v{evaluator.version}</Badge>
            <span>judges {formatPercent(evaluator.sampleRate)} of traces</span>
          </>
        )}
      </div>
      {scores.isError && scores.data === undefined ? (
        <ErrorState error={scores.error} onRetry={() => void scores.refetch()} />
      ) : (
        <>
          <ScoreOverview
            trend={trends?.get(slug)}
            isLoaded={trends !== undefined}
            scores={scores.items}
            hasMore={scores.hasNextPage}
            onZoom={(from, to) => setRange([from, to])}
          />
          <div className="flex min-h-80 flex-1 flex-col">
            <DataTable
              label="Scores"
              columns={scoreColumns}
              rows={scores.data === undefined ? undefined : scores.items}
              rowId={rowId}
              sort={sort}
              onSort={(next) => void navigate({ search: (before) => ({ ...before, sort: next }) })}
              onOpen={({ traceId }) => void navigate({ to: '/traces/$id', params: { id: traceId } })}
              onEnd={scores.loadMore}
              empty={
                <EmptyState title="No scores in this time">
                  {evaluator === undefined
                    ? 'Choose a longer range, or post scores of this name.'
                    : 'Choose a longer range. Scores appear as traces are judged, and can be posted under this name too.'}
                </EmptyState>
              }
            />
          </div>
        </>
      )}
      <DeleteEvaluatorDialog
        evaluator={isDeleting ? evaluator : undefined}
        onClose={() => setDeleting(false)}
        onDeleted={() => void navigate({ to: '/evaluators' })}
      />
    </Screen>
  )
}
