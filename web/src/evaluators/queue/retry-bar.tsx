import { RotateCw, X } from 'lucide-react'
import { useChange } from '../../app/api.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { exactNumber } from '../../ui/text/format.ts'

/** Retries failed evaluations, and reports how many. */
export function useRetry(onDone?: () => void) {
  const toasts = useToasts()
  return useChange('evaluations.retry', {
    refreshes: ['evaluations.list'],
    onDone: ({ retried }) => {
      toasts.done(
        retried === 0
          ? 'There is nothing left to retry'
          : `${exactNumber(retried)} ${retried === 1 ? 'evaluation' : 'evaluations'} queued again`,
      )
      onDone?.()
    },
  })
}

interface RetryBarProps {
  /** The total number of failed evaluations. */
  readonly failed: number
  /** Limits the retry to this evaluator; all evaluators if absent. */
  readonly evaluator: { readonly slug: string; readonly name: string } | undefined
  readonly selection: ReadonlySet<string>
  readonly onClear: () => void
}

/** The actions on failed evaluations. */
export function RetryBar({ failed, evaluator, selection, onClear }: RetryBarProps) {
  const retry = useRetry(onClear)
  const ids = [...selection]
  return (
    <section
      aria-label="Failed evaluations"
      className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-sunken px-4 py-1.5 text-sm"
    >
      <span role="status" className="min-w-0 flex-1 text-ink-2">
        {ids.length > 0
          ? `${ids.length} selected`
          : 'Failed evaluations are kept for 30 days. Fix the problem, then retry.'}
      </span>
      {ids.length > 0 ? (
        <>
          <Button
            size="small"
            icon={<RotateCw aria-hidden size={14} />}
            isBusy={retry.isPending}
            onClick={() => retry.mutate({ ids })}
          >
            Retry {ids.length}
          </Button>
          <IconButton label="Clear selection" size="small" onClick={onClear}>
            <X aria-hidden size={14} />
          </IconButton>
        </>
      ) : (
        <Button
          size="small"
          icon={<RotateCw aria-hidden size={14} />}
          isBusy={retry.isPending}
          onClick={() => retry.mutate(evaluator === undefined ? {} : { evaluatorSlug: evaluator.slug })}
        >
          {evaluator === undefined ? `Retry all ${exactNumber(failed)}` : `Retry all for ${evaluator.name}`}
        </Button>
      )}
    </section>
  )
}
