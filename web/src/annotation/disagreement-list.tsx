import { Link } from '@tanstack/react-router'
import type { Output } from '../app/api.ts'
import { ScoreValue } from '../evaluators/scores/score-value.tsx'
import { useTraceNames } from '../traces/use-traces-by-id.ts'

type Disagreement = Output<'annotationQueues.agreement'>['disagreements'][number]

interface DisagreementListProps {
  readonly items: readonly Disagreement[]
  readonly nameOf: (slug: string) => string
}

/** Items on which people disagree, with each score and a link to the trace. */
export function DisagreementList({ items, nameOf }: DisagreementListProps) {
  const nameOfTrace = useTraceNames(items.map(({ traceId }) => traceId))
  if (items.length === 0) return <p className="mt-2 text-sm text-ink-2">No disagreements.</p>
  return (
    <ul className="mt-2 flex flex-col">
      {items.map(({ itemId, traceId, logId, evaluatorSlug, judgements }) => (
        <li key={`${itemId} ${evaluatorSlug}`} className="flex flex-col gap-1 border-t border-line py-2">
          <p className="flex min-w-0 items-baseline gap-3 text-sm">
            <Link
              to="/traces/$id"
              params={{ id: traceId }}
              search={logId === null ? {} : { log: logId }}
              className="max-w-64 shrink-0 truncate text-accent-ink hover:underline"
            >
              {nameOfTrace(traceId)}
            </Link>
            <span dir="auto" className="truncate text-ink-2">
              {nameOf(evaluatorSlug)}
            </span>
          </p>
          <ul className="flex flex-col gap-1 pl-3">
            {judgements.map(({ annotator, value, comment }) => (
              <li key={annotator.id} className="flex min-w-0 items-baseline gap-2 text-sm">
                <span className="w-32 shrink-0 truncate text-ink-2">
                  {annotator.isYou ? 'You' : annotator.name}
                </span>
                <ScoreValue value={value} />
                {comment !== null && (
                  <span dir="auto" className="min-w-0 truncate text-ink-2" title={comment}>
                    {comment}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
