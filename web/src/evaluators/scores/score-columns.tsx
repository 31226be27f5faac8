import type { Score } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import type { Column } from '../../ui/table/columns.ts'
import { Money, Nothing, RelativeTime } from '../../ui/text/values.tsx'
import { ScoreValue } from './score-value.tsx'

/** The author of a score: a version of the evaluator with its model, an end user, a person or a key. */
function giverOf({ evaluatorVersion, model, author, userId, source }: Score): string {
  if (evaluatorVersion !== null)
    return model === null ? `v${evaluatorVersion}` : `v${evaluatorVersion}, ${model}`
  if (userId !== null) return `user ${userId}`
  return author ?? source
}

/** The columns of scores, with their reasons and their traces. */
export const scoreColumns = (nameOfTrace: (id: string) => string): readonly Column<Score>[] => [
  {
    id: 'value',
    header: 'Value',
    width: 104,
    sortBy: ({ value }) => (typeof value === 'boolean' ? Number(value) : value),
    cell: ({ value }) => <ScoreValue value={value} />,
  },
  {
    id: 'comment',
    header: 'Reason',
    width: 200,
    grow: 3,
    cell: ({ comment }) =>
      comment === null || comment === '' ? <Nothing /> : <span title={comment}>{comment}</span>,
  },
  {
    id: 'source',
    header: 'Author',
    width: 200,
    sortBy: (score) => giverOf(score),
    cell: (score) => <span title={giverOf(score)}>{giverOf(score)}</span>,
  },
  {
    id: 'cost',
    header: 'Cost',
    width: 92,
    align: 'right',
    sortBy: ({ cost }) => cost ?? -1,
    cell: ({ cost }) => <Money value={cost} />,
  },
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
        title={logId === null ? traceId : `Log ${logId} of ${traceId}`}
        onClick={(event) => event.stopPropagation()}
        className="text-accent-ink hover:underline"
      >
        {nameOfTrace(traceId)}
      </Link>
    ),
  },
  {
    id: 'at',
    header: 'Created',
    width: 104,
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
  },
]
