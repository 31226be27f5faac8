import { Link } from '@tanstack/react-router'
import type { Output } from '../../app/api.ts'
import { ScoreValue } from './score-value.tsx'

type Case = Output<'evaluators.agreement'>['cases'][number]

interface JudgedCasesProps {
  readonly cases: readonly Case[]
  readonly isOfCell: boolean
}

/** Traces with the evaluator's score, its reason, and the scores of people. */
export function JudgedCases({ cases, isOfCell }: JudgedCasesProps) {
  if (cases.length === 0)
    return <p className="mt-2 text-sm text-ink-2">{isOfCell ? 'None.' : 'No disagreements.'}</p>
  return (
    <ul className="mt-2 flex flex-col">
      {cases.map(({ traceId, logId, version, judge, people }) => (
        <li
          key={`${traceId} ${logId} ${version}`}
          className="grid grid-cols-[7rem_minmax(0,1fr)_minmax(0,1fr)] gap-x-4 gap-y-1 border-t border-line py-2 text-sm max-md:grid-cols-1"
        >
          <span className="flex items-baseline gap-2">
            <Link
              to="/traces/$id"
              params={{ id: traceId }}
              search={logId === null ? {} : { log: logId }}
              className="font-mono text-xs text-accent-ink hover:underline"
            >
              …{traceId.slice(-8)}
            </Link>
            {version !== null && <span className="text-xs text-ink-3">v{version}</span>}
          </span>
          <Said author="Evaluator" value={judge.value} comment={judge.comment} />
          <span className="flex min-w-0 flex-col gap-1">
            {people.map(({ value, comment, author, userId }, index) => (
              <Said
                // biome-ignore lint/suspicious/noArrayIndexKey: People may share a name, and their order is stable.
                key={index}
                author={userId ?? author ?? 'Someone'}
                value={value}
                comment={comment}
              />
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}

interface SaidProps {
  readonly author: string
  readonly value: Case['judge']['value']
  readonly comment: string | null
}

function Said({ author, value, comment }: SaidProps) {
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <span className="max-w-28 shrink-0 truncate text-xs text-ink-2" title={author}>
        {author}
      </span>
      <ScoreValue value={value} />
      {comment !== null && comment !== '' && (
        <span dir="auto" className="min-w-0 truncate text-ink-2" title={comment}>
          {comment}
        </span>
      )}
    </span>
  )
}
