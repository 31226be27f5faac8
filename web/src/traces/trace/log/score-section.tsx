/** The scores of a trace or a log with their reasons, and a form for a manual score. */
import type { Score } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '../../../app/api.ts'
import { useSession } from '../../../app/session.tsx'
import { ScoreValue } from '../../../evaluators/scores/score-value.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Money, RelativeTime } from '../../../ui/text/values.tsx'
import { NewScore } from './new-score.tsx'
import { Section } from './section.tsx'

interface ScoreSectionProps {
  readonly traceId: string
  readonly logId: string | undefined
  readonly scores: readonly Score[]
}

export function ScoreSection({ traceId, logId, scores }: ScoreSectionProps) {
  const { may } = useSession()
  const [isNew, setNew] = useState(false)
  const remove = useChange('scores.delete', { refreshes: ['traces.outline', 'traces.get'] })
  if (scores.length === 0 && !may('editor')) return null
  return (
    <Section
      title="Scores"
      isFolded={scores.length === 0 && !isNew}
      hint={scores.length === 0 ? 'none' : scores.length}
      actions={
        may('editor') &&
        !isNew && (
          <Button
            size="small"
            look="quiet"
            icon={<Plus aria-hidden size={14} />}
            onClick={() => setNew(true)}
          >
            Score
          </Button>
        )
      }
    >
      <ul className="flex flex-col gap-3">
        {scores.map((score) => (
          <li key={score.id} className="flex items-start gap-3 text-sm">
            <span className="w-36 min-w-0 shrink-0 truncate" title={score.name}>
              {score.name}
            </span>
            <ScoreValue value={score.value} />
            <div className="min-w-0 flex-1">
              {score.comment !== null && (
                <p dir="auto" className="break-words whitespace-pre-wrap text-ink-2">
                  {score.comment}
                </p>
              )}
              <ScoreOrigin score={score} />
            </div>
            {may('editor') && score.isOwn && (
              <IconButton
                label={`Delete ${score.name}`}
                size="small"
                onClick={() => remove.mutate({ id: score.id })}
              >
                <Trash2 aria-hidden size={14} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {scores.length === 0 && !isNew && <p className="text-sm text-ink-3">No scores yet.</p>}
      {isNew && <NewScore traceId={traceId} logId={logId} onClose={() => setNew(false)} />}
    </Section>
  )
}

/** The author, source, time and cost of a score. */
function ScoreOrigin({ score }: { readonly score: Score }) {
  const { author, source, userId, sessionId, evaluatorSlug, evaluatorVersion } = score
  const { model, judgeTraceId, cost, createdAt } = score
  return (
    <p className="flex flex-wrap gap-x-1.5 text-xs text-ink-3">
      {evaluatorSlug !== null ? (
        <Link
          to="/evaluators/$slug"
          params={{ slug: evaluatorSlug }}
          search={evaluatorVersion === null ? {} : { view: 'versions', version: evaluatorVersion }}
          className="text-accent-ink hover:underline"
        >
          {evaluatorSlug}
          {evaluatorVersion !== null && ` v${evaluatorVersion}`}
        </Link>
      ) : (
        <span>{userId !== null ? `user ${userId}` : (author ?? source)}</span>
      )}
      {evaluatorSlug !== null && author !== null && <span>{author}</span>}
      {sessionId !== null && (
        <Link
          to="/conversations/$id"
          params={{ id: sessionId }}
          title="It judged the conversation up to this trace"
          className="text-accent-ink hover:underline"
        >
          conversation
        </Link>
      )}
      {model !== null && <span>{model}</span>}
      {judgeTraceId !== null && (
        <Link
          to="/traces/$id"
          params={{ id: judgeTraceId }}
          title="What the model was sent, and what it answered"
          className="text-accent-ink hover:underline"
        >
          judge’s trace
        </Link>
      )}
      {cost !== null && <Money value={cost} />}
      <RelativeTime time={createdAt} />
    </p>
  )
}
