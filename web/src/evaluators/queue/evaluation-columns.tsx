import type { Evaluation } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import type { Column } from '../../ui/table/columns.ts'
import { Money, Nothing, RelativeTime } from '../../ui/text/values.tsx'
import { ScoreValue } from '../scores/score-value.tsx'
import { StatusBadge } from './status-badge.tsx'
import { type ConcurrencyGroup, waitingReason } from './waiting-reason.ts'

const linkClass = 'text-accent-ink hover:underline'

/**
 * The columns of evaluations; without the evaluator column if all belong to one. `groups` explain why evaluations
 * wait.
 */
export const evaluationColumns = (
  nameOf: ((slug: string) => string) | undefined,
  groups: readonly ConcurrencyGroup[],
  nameOfTrace: (id: string) => string,
): readonly Column<Evaluation>[] => [
  {
    id: 'status',
    header: 'Status',
    width: 92,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  ...(nameOf === undefined
    ? [
        {
          id: 'version',
          header: 'Version',
          width: 76,
          cell: ({ evaluatorVersion }: Evaluation) => <span className="numbers">v{evaluatorVersion}</span>,
        },
      ]
    : [
        {
          id: 'evaluator',
          header: 'Evaluator',
          width: 168,
          grow: 1,
          cell: ({ evaluatorSlug, evaluatorVersion }: Evaluation) => (
            <span className="flex min-w-0 items-baseline gap-2">
              <span dir="auto" className="truncate" title={nameOf(evaluatorSlug)}>
                {nameOf(evaluatorSlug)}
              </span>
              <span className="numbers text-xs text-ink-3">v{evaluatorVersion}</span>
            </span>
          ),
        },
      ]),
  {
    id: 'trace',
    header: 'Trace',
    width: 140,
    grow: 1,
    cell: ({ traceId, logId }) => (
      <Link
        to="/traces/$id"
        params={{ id: traceId }}
        search={logId === null ? {} : { log: logId }}
        onClick={(event) => event.stopPropagation()}
        title={logId === null ? traceId : `Log ${logId} of ${traceId}`}
        className={linkClass}
      >
        {nameOfTrace(traceId)}
      </Link>
    ),
  },
  {
    id: 'outcome',
    header: 'Result',
    width: 200,
    grow: 3,
    cell: (evaluation) => <Outcome evaluation={evaluation} waits={waitingReason(evaluation, groups)} />,
  },
  {
    id: 'attempts',
    header: 'Attempts',
    width: 80,
    align: 'right',
    cell: ({ attempts }) => <span className="numbers">{attempts}</span>,
  },
  { id: 'cost', header: 'Cost', width: 108, align: 'right', cell: ({ cost }) => <Money value={cost} /> },
  {
    id: 'changed',
    header: 'Updated',
    width: 100,
    cell: ({ changedAt }) => <RelativeTime time={changedAt} />,
  },
]

interface OutcomeProps {
  readonly evaluation: Evaluation
  readonly waits: string | undefined
}

/** The result, or the reason for waiting, in one line. */
function Outcome({ evaluation: { value, comment, problem, status, dueAt }, waits }: OutcomeProps) {
  const detail = status === 'done' || status === 'skipped' ? comment : (waits ?? problem)
  if (value === null && detail === null) return <Nothing />
  return (
    <span className="flex min-w-0 items-center gap-2">
      {value !== null && <ScoreValue value={value} />}
      <span
        dir="auto"
        className={`truncate ${status === 'failed' ? 'text-bad' : 'text-ink-2'}`}
        title={detail ?? undefined}
      >
        {detail}
      </span>
      {status === 'waiting' && problem !== null && dueAt !== null && (
        <span className="shrink-0 text-xs text-ink-3">
          retries <RelativeTime time={dueAt} />
        </span>
      )}
    </span>
  )
}
