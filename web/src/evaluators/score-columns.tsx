import type { Score } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import type { Column } from '../ui/columns.ts'
import { RelativeTime } from '../ui/values.tsx'
import { ScoreValue } from './score-value.tsx'

/** The columns of scores, with their reasons and their traces. */
export const scoreColumns: readonly Column<Score>[] = [
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
      comment === null || comment === '' ? (
        <span className="text-ink-3">–</span>
      ) : (
        <span title={comment}>{comment}</span>
      ),
  },
  {
    id: 'source',
    header: 'From',
    width: 96,
    sortBy: ({ source }) => source,
    cell: ({ source }) => <span title={source}>{source}</span>,
  },
  {
    id: 'trace',
    header: 'Trace',
    width: 104,
    cell: ({ traceId }) => (
      <Link
        to="/traces/$id"
        params={{ id: traceId }}
        onClick={(event) => event.stopPropagation()}
        className="font-mono text-xs text-accent-ink hover:underline"
      >
        {traceId.slice(0, 8)}
      </Link>
    ),
  },
  {
    id: 'at',
    header: 'Given',
    width: 104,
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]
