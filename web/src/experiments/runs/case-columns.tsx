import type { TraceSummary } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import type { Output } from '../../app/api.ts'
import type { ListScores } from '../../traces/list/rows/score-texts.ts'
import { OutputCell, Preview, type RowLook, ScoresCell } from '../../traces/list/rows/trace-cells.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Duration, Money, Nothing, RelativeTime } from '../../ui/text/values.tsx'
import { CaseBadge, type Run } from './run-badge.tsx'

export type RunCase = Output<'experimentRuns.cases'>['cases'][number]

export const caseId = ({ row, repetition }: RunCase): string => `${row} ${repetition}`

/** The cases of a run, in the order of its rows. */
interface CaseResults {
  readonly traces: ReadonlyMap<string, TraceSummary>
  readonly scores: ListScores
}

/** Case cells have two lines, without highlights. */
const look: RowLook = { hasTwoLines: true, isNarrow: false, words: [] }

export const caseColumns = (
  { datasetSlug, repetitions }: Run,
  { traces, scores }: CaseResults,
): readonly Column<RunCase>[] => [
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
    id: 'input',
    header: 'Input',
    width: 180,
    grow: 4,
    cell: ({ traceId }) => {
      const trace = traceId === null ? undefined : traces.get(traceId)
      return trace === undefined ? <Nothing /> : <Preview json={trace.inputPreview} look={look} />
    },
  },
  {
    id: 'output',
    header: 'Output',
    width: 180,
    grow: 5,
    cell: (runCase) => <Result runCase={runCase} trace={traces.get(runCase.traceId ?? '')} />,
  },
  {
    id: 'scores',
    header: 'Scores',
    width: 150,
    cell: ({ traceId }) => <ScoresCell scores={scores.allOf(traceId ?? '')} look={look} />,
  },
  {
    id: 'trace',
    header: 'Trace',
    width: 72,
    cell: ({ traceId }) =>
      traceId === null ? (
        <Nothing />
      ) : (
        <Link to="/traces/$id" params={{ id: traceId }} className="text-accent-ink hover:underline">
          Open
        </Link>
      ),
  },
  { id: 'cost', header: 'Cost', width: 92, align: 'right', cell: ({ cost }) => <Money value={cost} /> },
  {
    id: 'duration',
    header: 'Time',
    width: 92,
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

interface ResultProps {
  readonly runCase: RunCase
  readonly trace: TraceSummary | undefined
}

/** The output, or the reason why there is none and the number of attempts. */
function Result({ runCase: { problem, attempts }, trace }: ResultProps) {
  if (problem === null) return trace === undefined ? <Nothing /> : <OutputCell trace={trace} look={look} />
  return (
    <span
      dir="auto"
      title={problem}
      className="line-clamp-2 leading-[1.35] break-words whitespace-normal text-bad"
    >
      {problem}
      {attempts > 1 && <span className="text-ink-3"> ({attempts} attempts)</span>}
    </span>
  )
}
