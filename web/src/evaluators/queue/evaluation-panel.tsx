/** One evaluation in full, beside the list. */
import type { Evaluation } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { PanelHeader } from '../../ui/panel-header.tsx'
import { Count, ExactTime, Money, RelativeTime, Tokens, useNow } from '../../ui/text/values.tsx'
import { ScoreValue } from '../scores/score-value.tsx'
import { useRetry } from './retry-bar.tsx'
import { StatusBadge } from './status-badge.tsx'

interface EvaluationPanelProps {
  readonly evaluation: Evaluation
  readonly name: string
  /** Why it is waiting, if it is. */
  readonly waits: string | undefined
  readonly onClose: () => void
}

const linkClass = 'text-accent-ink hover:underline'

export function EvaluationPanel({ evaluation, name, waits, onClose }: EvaluationPanelProps) {
  const { may } = useSession()
  const retry = useRetry()
  const { id, status, value, comment, problem } = evaluation
  return (
    <>
      <PanelHeader
        title={<bdi>{name}</bdi>}
        onClose={onClose}
        actions={
          status === 'failed' &&
          may('editor') && (
            <Button
              size="small"
              icon={<RotateCw aria-hidden size={14} />}
              isBusy={retry.isPending}
              onClick={() => retry.mutate({ ids: [id] })}
            >
              Retry
            </Button>
          )
        }
      />
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4 text-sm">
        <div className="flex items-center gap-2">
          <StatusBadge status={status} />
          {value !== null && <ScoreValue value={value} />}
        </div>
        {waits !== undefined ? (
          <Words title="Why it is waiting">{waits}</Words>
        ) : (
          problem !== null && (
            <Words title={status === 'failed' ? 'Why it failed' : 'Why it is retrying'} isBad>
              {problem}
            </Words>
          )
        )}
        {comment !== null && comment !== '' && <Words title="Reason">{comment}</Words>}
        <Facts evaluation={evaluation} />
      </div>
    </>
  )
}

function Facts({ evaluation }: Pick<EvaluationPanelProps, 'evaluation'>) {
  const now = useNow()
  const { id, status, traceId, logId, sessionId, evaluatorSlug, evaluatorVersion } = evaluation
  return (
    <dl className="grid grid-cols-[128px_minmax(0,1fr)] gap-x-4 gap-y-2">
      <Fact label="Evaluator">
        <Link
          to="/evaluators/$slug"
          params={{ slug: evaluatorSlug }}
          search={{ view: 'versions', version: evaluatorVersion }}
          className={linkClass}
        >
          {evaluatorSlug}, version {evaluatorVersion}
        </Link>
      </Fact>
      <Fact label="Trace">
        <Link to="/traces/$id" params={{ id: traceId }} className={`${linkClass} font-mono text-xs`}>
          {traceId}
        </Link>
      </Fact>
      {sessionId !== null && (
        <Fact label="Conversation">
          <Link to="/conversations/$id" params={{ id: sessionId }} className={linkClass}>
            {sessionId}
          </Link>
        </Fact>
      )}
      {logId !== null && (
        <Fact label="Log">
          <Link
            to="/traces/$id"
            params={{ id: traceId }}
            search={{ log: logId }}
            className={`${linkClass} font-mono text-xs`}
          >
            {logId}
          </Link>
        </Fact>
      )}
      {evaluation.model !== null && <Fact label="Model">{evaluation.model}</Fact>}
      {evaluation.judgeTraceId !== null && (
        <Fact label="Judge’s trace">
          <Link
            to="/traces/$id"
            params={{ id: evaluation.judgeTraceId }}
            className={`${linkClass} font-mono text-xs`}
          >
            {evaluation.judgeTraceId}
          </Link>
        </Fact>
      )}
      <Fact label="Attempts">
        <Count value={evaluation.attempts} />
      </Fact>
      <Fact label="Cost, all attempts">
        <Money value={evaluation.cost} />
      </Fact>
      {evaluation.inputTokens !== null && (
        <Fact label="Tokens">
          <Tokens value={evaluation.inputTokens} /> in, <Tokens value={evaluation.outputTokens} /> out
        </Fact>
      )}
      {evaluation.dueAt !== null && new Date(evaluation.dueAt) > now && (
        <Fact label="Next attempt">
          <RelativeTime time={evaluation.dueAt} />
        </Fact>
      )}
      {status === 'waiting' && (
        <Fact label="Expires">
          <RelativeTime time={evaluation.deadlineAt} />, if still waiting
        </Fact>
      )}
      <Fact label="Created">
        <ExactTime time={evaluation.createdAt} />
      </Fact>
      <Fact label="Updated">
        <ExactTime time={evaluation.changedAt} />
      </Fact>
      <Fact label="ID">
        <span className="flex items-center gap-1">
          <code className="truncate font-mono text-xs">{id}</code>
          <CopyButton text={id} label="Copy ID" />
        </span>
      </Fact>
    </dl>
  )
}

interface WordsProps {
  readonly title: string
  readonly isBad?: boolean
  readonly children: string
}

const Words = ({ title, isBad = false, children }: WordsProps) => (
  <div>
    <h3 className="text-xs text-ink-3">{title}</h3>
    <p dir="auto" className={`break-words whitespace-pre-wrap ${isBad ? 'text-bad' : ''}`}>
      {children}
    </p>
  </div>
)

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <>
    <dt className="text-ink-3">{label}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </>
)
