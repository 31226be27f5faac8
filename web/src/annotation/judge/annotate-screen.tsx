/** The annotation screen: one item at full size, with its questions beside it. Every action has a key. */
import { Link } from '@tanstack/react-router'
import { CheckCheck } from 'lucide-react'
import { useMemo } from 'react'
import { useRead } from '../../app/api.ts'
import { Path } from '../../app/path.tsx'
import { Screen } from '../../app/screen.tsx'
import { useSession } from '../../app/session.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { ProgressBar } from '../progress-bar.tsx'
import { annotateRoute, annotationStep } from '../routes.ts'
import { WhoHasIt } from '../who-has-it.tsx'
import { JudgePanel } from './judge-panel.tsx'
import { JudgedItem } from './judged-item.tsx'
import { useTurns } from './use-annotation.ts'
import { readJudged } from './verdict-choices.ts'

export function AnnotateScreen() {
  const { id } = annotateRoute.useParams()
  const { may } = useSession()
  const query = useRead('annotationQueues.get', { id })
  const queue = query.data?.queue
  const title = queue === undefined ? 'Annotation' : `Annotate: ${queue.name}`
  return (
    <Screen
      title={title}
      heading={
        <Path
          parents={[
            annotationStep,
            { label: queue?.name ?? '…', link: { to: '/annotation/$id', params: { id } } },
          ]}
        >
          Annotate
        </Path>
      }
      actions={
        queue !== undefined && (
          <ProgressBar
            label="Your progress"
            done={queue.progress.judged + queue.progress.skipped}
            total={queue.progress.judged + queue.progress.skipped + queue.progress.left}
          />
        )
      }
    >
      {query.isError && queue === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : may('editor') ? (
        <Judging />
      ) : (
        <EmptyState title="Viewers cannot annotate">Ask an admin for the editor role.</EmptyState>
      )}
    </Screen>
  )
}

function Judging() {
  const { id } = annotateRoute.useParams()
  const { item: repeatedItem } = annotateRoute.useSearch()
  const { turn, error, isUndoing, submit, skip, undo, keep, retry } = useTurns(id, repeatedItem)
  const queue = useRead('annotationQueues.get', { id }).data?.queue
  const evaluatorsRead = useRead('evaluators.list', {})
  const evaluators = evaluatorsRead.data?.evaluators
  const questions = useMemo(
    () =>
      (queue?.evaluatorSlugs ?? []).flatMap((slug) =>
        (evaluators ?? [])
          .filter((evaluator) => evaluator.slug === slug && evaluator.kind === 'human')
          .map(readJudged),
      ),
    [queue, evaluators],
  )
  if (error !== undefined) return <ErrorState error={error} onRetry={retry} />
  if (evaluatorsRead.error !== null)
    return <ErrorState error={evaluatorsRead.error} onRetry={() => void evaluatorsRead.refetch()} />
  if (turn === null) return <NothingLeft id={id} isUndoing={isUndoing} onUndo={undo} />
  if (turn === undefined || queue === undefined || evaluators === undefined) return <SkeletonRows />
  if (questions.length === 0)
    return (
      <EmptyState title="No evaluators">
        This queue’s evaluators were deleted. Choose others in its settings.
      </EmptyState>
    )
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_minmax(320px,400px)] max-lg:grid-cols-1 max-lg:grid-rows-[minmax(0,1fr)_auto]">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls can be reached by keys.
        tabIndex={0}
        aria-label="Item"
        className="min-h-0 min-w-0 overflow-y-auto -outline-offset-2"
      >
        <JudgedItem item={turn.item} />
      </section>
      <aside
        aria-label="Your scores"
        className="flex min-h-0 flex-col border-line max-lg:max-h-[48dvh] max-lg:border-t lg:border-l"
      >
        <p className="flex min-h-11 shrink-0 items-center gap-2 border-b border-line px-4 text-xs text-ink-2 max-lg:hidden">
          Assigned to <WhoHasIt turns={turn.item.turns} />
        </p>
        <JudgePanel
          key={turn.item.id}
          questions={questions}
          instructions={queue.instructions}
          turn={turn}
          isUndoing={isUndoing}
          onSubmit={(scores, comment) => submit(turn, scores, comment)}
          onSkip={() => skip(turn)}
          onUndo={undo}
          onType={keep}
        />
      </aside>
    </div>
  )
}

interface NothingLeftProps {
  readonly id: string
  readonly isUndoing: boolean
  readonly onUndo: () => void
}

function NothingLeft({ id, isUndoing, onUndo }: NothingLeftProps) {
  useShortcuts([{ keys: 'u', label: 'Undo last annotation', onPress: onUndo }])
  return (
    <EmptyState
      icon={<CheckCheck size={20} />}
      title="You’re all done"
      action={
        <span className="flex gap-2">
          <Button isBusy={isUndoing} onClick={onUndo}>
            Undo last
          </Button>
          <Link to="/annotation/$id" params={{ id }} className={buttonClass('primary')}>
            Back to the queue
          </Link>
        </span>
      }
    >
      You have scored or skipped every open item, or others are working on the rest.
    </EmptyState>
  )
}
