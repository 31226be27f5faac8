import { Link } from '@tanstack/react-router'
import type { Output } from '../../app/api.ts'
import type { Column } from '../../ui/table/columns.ts'
import { Duration, Money, RelativeTime } from '../../ui/text/values.tsx'
import { CaseBadge, type Run } from './run-badge.tsx'

export type RunCase = Output<'experimentRuns.cases'>['cases'][number]

export const caseId = ({ row, repetition }: RunCase): string => `${row} ${repetition}`

/** The cases of a run, in the order of its rows. */
export const caseColumns = ({ datasetSlug, repetitions }: Run): readonly Column<RunCase>[] => [
  {
    id: 'row',
    header: 'Row',
    width: 64,
    cell: ({ row, datasetRowId }) => (
      <Link
        to="/datasets/$slug"
        params={{ slug: datasetSlug }}
        search={{ row: datasetRowId }}
        className="numbers text-accent-ink hover:underline"
      >
        {row + 1}
      </Link>
    ),
  },
  ...(repetitions === 1
    ? []
    : [
        {
          id: 'repetition',
          header: 'Run',
          width: 56,
          align: 'right' as const,
          cell: ({ repetition }: RunCase) => <span className="numbers">{repetition + 1}</span>,
        },
      ]),
  { id: 'status', header: 'Status', width: 96, cell: ({ status }) => <CaseBadge status={status} /> },
  {
    id: 'problem',
    header: 'Reason',
    width: 200,
    grow: 3,
    cell: ({ problem }) =>
      problem === null ? (
        <span className="text-ink-3">–</span>
      ) : (
        <span title={problem} dir="auto">
          {problem}
        </span>
      ),
  },
  {
    id: 'attempts',
    header: 'Attempts',
    width: 56,
    align: 'right',
    cell: ({ attempts }) => <span className="numbers">{attempts}</span>,
  },
  {
    id: 'trace',
    header: 'Trace',
    width: 72,
    cell: ({ traceId }) =>
      traceId === null ? (
        <span className="text-ink-3">–</span>
      ) : (
        <Link to="/traces/$id" params={{ id: traceId }} className="text-accent-ink hover:underline">
          Open
        </Link>
      ),
  },
  { id: 'cost', header: 'Cost', width: 80, align: 'right', cell: ({ cost }) => <Money value={cost} /> },
  {
    id: 'duration',
    header: 'Time',
    width: 80,
    align: 'right',
    cell: ({ durationMs }) => <Duration value={durationMs} />,
  },
  {
    id: 'changed',
    header: 'Updated',
    width: 96,
    cell: ({ changedAt }) => <RelativeTime time={changedAt} />,
  },
]
