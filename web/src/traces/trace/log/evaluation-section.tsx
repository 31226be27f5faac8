/** The pending and failed evaluations of a trace or log, and the sampling decision. */
import type { Evaluation } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { Gauge, RotateCw } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../../../app/session.tsx'
import { useRetry } from '../../../evaluators/queue/retry-bar.tsx'
import { StatusBadge } from '../../../evaluators/queue/status-badge.tsx'
import { type ConcurrencyGroup, waitingReason } from '../../../evaluators/queue/waiting-reason.ts'
import { Button } from '../../../ui/button.tsx'
import { RelativeTime } from '../../../ui/text/values.tsx'
import { Section } from './section.tsx'

const JudgeDialog = lazy(async () => ({ default: (await import('../../judge-dialog.tsx')).JudgeDialog }))

interface EvaluationSectionProps {
  readonly traceId: string
  readonly logId: string | undefined
  readonly evaluations: readonly Evaluation[]
  readonly groups: readonly ConcurrencyGroup[]
  /** The sampling decision, if the trace names an evaluator. */
  readonly sampling: string | undefined
}

export function EvaluationSection({ traceId, logId, evaluations, groups, sampling }: EvaluationSectionProps) {
  const { may } = useSession()
  const [isJudging, setJudging] = useState(false)
  // A finished evaluation has produced a score, which is listed among the scores.
  const visibleEvaluations = evaluations.filter(
    (evaluation) => evaluation.logId === (logId ?? null) && evaluation.status !== 'done',
  )
  const mayJudge = may('editor')
  if (visibleEvaluations.length === 0 && sampling === undefined && !mayJudge) return null
  return (
    <Section
      title="Evaluations"
      isFolded={visibleEvaluations.length === 0 && !isJudging}
      hint={
        visibleEvaluations.length === 0
          ? (sampling ?? 'No automatic evaluations.')
          : visibleEvaluations.length
      }
      actions={
        mayJudge && (
          <Button
            size="small"
            look="quiet"
            icon={<Gauge aria-hidden size={14} />}
            onClick={() => setJudging(true)}
          >
            Evaluate…
          </Button>
        )
      }
    >
      {visibleEvaluations.length > 0 && (
        <ul aria-label="Evaluations" className="mb-2 flex flex-col gap-2">
          {visibleEvaluations.map((evaluation) => (
            <EvaluationRow
              key={evaluation.id}
              evaluation={evaluation}
              waits={waitingReason(evaluation, groups)}
            />
          ))}
        </ul>
      )}
      {visibleEvaluations.length > 0 && sampling !== undefined && (
        <p className="text-sm text-ink-3">{sampling}</p>
      )}
      {visibleEvaluations.length === 0 && (
        <p className="text-sm text-ink-3">Nothing is waiting, and nothing has failed.</p>
      )}
      <Suspense>
        {isJudging && <JudgeDialog subjects={[{ traceId, logId }]} onClose={() => setJudging(false)} />}
      </Suspense>
    </Section>
  )
}

interface EvaluationRowProps {
  readonly evaluation: Evaluation
  readonly waits: string | undefined
}

function EvaluationRow({ evaluation, waits }: EvaluationRowProps) {
  const { may } = useSession()
  const retry = useRetry()
  const { id, evaluatorSlug, evaluatorVersion, status, problem, comment, dueAt, changedAt, attempts } =
    evaluation
  const detail = waits ?? problem ?? comment
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 text-sm">
      <Link
        to="/evaluators/$slug"
        params={{ slug: evaluatorSlug }}
        search={{ view: 'versions', version: evaluatorVersion }}
        title={`${evaluatorSlug}, version ${evaluatorVersion}`}
        className="w-36 min-w-0 shrink-0 truncate text-accent-ink hover:underline"
      >
        {evaluatorSlug}
      </Link>
      <StatusBadge status={status} />
      <div className="min-w-48 flex-1">
        {detail !== null && (
          <p dir="auto" className={`break-words ${status === 'failed' ? 'text-bad' : 'text-ink-2'}`}>
            {detail}
          </p>
        )}
        <p className="text-xs text-ink-3">
          {attempts > 0 && `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}, `}
          {status === 'waiting' && dueAt !== null && attempts > 0 ? (
            <>
              again <RelativeTime time={dueAt} />
            </>
          ) : (
            <RelativeTime time={changedAt} />
          )}
        </p>
      </div>
      {status === 'failed' && may('editor') && (
        <Button
          size="small"
          icon={<RotateCw aria-hidden size={14} />}
          isBusy={retry.isPending}
          onClick={() => retry.mutate({ ids: [id] })}
        >
          Retry
        </Button>
      )}
    </li>
  )
}
