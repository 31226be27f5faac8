/** The columns of the trace list: the fixed ones, metadata keys, and score names. */
import type { TraceSummary } from '@plumbline/sdk'
import {
  fieldEntries,
  type RecordedTraceFields,
  type TraceField,
  type TraceFieldName,
  type TraceSort,
  traceFields,
} from '@plumbline/sdk/trace-fields'
import type { ReactNode } from 'react'
import type { Column } from '../../../ui/table/columns.ts'
import { Count, Duration, ExactTime, Money, Nothing, RelativeTime, Tokens } from '../../../ui/text/values.tsx'
import { typedName } from '../../filter/filter-fields.ts'
import { hasTokens } from '../../has-tokens.ts'
import type { SlowOf } from './duration-rank.ts'
import type { ListScores, ScoresOf } from './score-texts.ts'
import { NameCell, OutputCell, Preview, type RowLook, ScoresCell } from './trace-cells.tsx'

/** Columns are named after fields without their units, except for these. */
const columnId = (name: TraceFieldName): string => (name === 'model' ? 'models' : typedName(name))

/** The service's sort field of each column. */
export const sortNames: Readonly<Record<string, TraceSort | undefined>> = Object.fromEntries(
  // Safe by the table of fields.
  fieldEntries.flatMap(([name, { sort }]) =>
    sort === undefined ? [] : [[columnId(name), sort as TraceSort]],
  ),
)

interface ColumnOptions {
  readonly scores: ListScores
  readonly slowOf: SlowOf
  readonly look: RowLook
}

/** The columns that fit beside an open trace, and on a phone. */
export const narrowColumns: readonly string[] = ['name', 'duration', 'cost']

type TraceColumn = Column<TraceSummary>

const plain = (text: string | null | undefined) =>
  text === null || text === undefined || text === '' ? (
    <Nothing />
  ) : (
    <span dir="auto" title={text}>
      {text}
    </span>
  )

/** The value of a field that a row has under another name. */
const values: Partial<Record<TraceFieldName, (trace: TraceSummary) => string | number | null | undefined>> = {
  feature: ({ featureSlug }) => featureSlug,
  model: ({ totals }) => totals.models.join(', '),
  user: ({ user }) => user && (user.name || user.id),
  organization: ({ organization }) => organization && (organization.name || organization.id),
  experiment: ({ experiment }) => experiment?.id,
  durationMs: ({ totals }) => totals.durationMs,
  cost: ({ totals }) => totals.cost,
  tokens: ({ totals }) => (hasTokens(totals) ? totals.inputTokens + totals.outputTokens : null),
  inputTokens: ({ totals }) => (hasTokens(totals) ? totals.inputTokens : null),
  outputTokens: ({ totals }) => (hasTokens(totals) ? totals.outputTokens : null),
  errors: ({ totals }) => totals.errors,
  logs: ({ logCount }) => logCount,
}

/** The recorded field with this name. */
function recordedText(trace: TraceSummary, name: string | undefined): string | null {
  // Safe: the row has recorded fields under their names.
  const value = name === undefined ? null : trace[name as keyof RecordedTraceFields]
  return value !== null && typeof value === 'object' ? value.join(', ') : value
}

/** A number in its unit; any other value as text. */
function cellOf(trace: TraceSummary, name: TraceFieldName): ReactNode {
  const { unit, recordedField }: TraceField = traceFields[name]
  const value = values[name] === undefined ? recordedText(trace, recordedField?.name) : values[name](trace)
  if (typeof value === 'string') return plain(value)
  const isEstimate = trace.totals.tokensEstimated
  switch (unit) {
    case 'usd':
      return <Money value={value ?? null} isEstimate={isEstimate} />
    case 'ms':
      return <Duration value={value ?? null} />
    case 'tokens':
      return <Tokens value={value ?? null} isEstimate={isEstimate} />
    case 'count':
      return <Count value={value ?? 0} />
    default:
      return plain(undefined)
  }
}

/** The column of a field, with label, alignment and order from the contract. */
function fieldColumn(name: TraceFieldName, look: Partial<TraceColumn>): TraceColumn {
  const { label, type, sort }: TraceField = traceFields[name]
  return {
    id: columnId(name),
    header: label,
    ...(type === 'number' && { align: 'right' }),
    ...(sort !== undefined && { sortBy: true }),
    cell: (trace) => cellOf(trace, name),
    ...look,
  }
}

/** The recorded fields of a trace, by name. */
const recordedNames = fieldEntries.flatMap(([name, { recordedField, column }]) =>
  recordedField === undefined || column === undefined ? [] : [name],
)
const extraText = { width: 120, grow: 1, isExtra: true } as const
const extraNumber = { width: 84, isExtra: true } as const

export const traceColumns = (
  { scores, slowOf, look }: ColumnOptions,
  names: readonly string[],
): readonly TraceColumn[] => [
  fieldColumn('start', {
    width: 92,
    cell: ({ startTime }) => (
      <span className="text-ink-2">
        <RelativeTime time={startTime} />
      </span>
    ),
  }),
  fieldColumn('name', {
    width: look.isNarrow ? 110 : 140,
    grow: 4,
    isFixed: true,
    cell: (trace) => <NameCell trace={trace} look={look} />,
  }),
  fieldColumn('input', {
    width: 100,
    grow: 5,
    cell: ({ inputPreview }) => <Preview json={inputPreview} look={look} />,
  }),
  fieldColumn('output', { width: 100, grow: 5, cell: (trace) => <OutputCell trace={trace} look={look} /> }),
  {
    id: 'scores',
    header: 'Scores',
    width: 116,
    grow: 3,
    cell: ({ id }) => <ScoresCell scores={scores.allOf(id)} look={look} />,
  },
  fieldColumn('durationMs', {
    width: 88,
    cell: (trace) => {
      const slow = slowOf(trace)
      return (
        <span className={slow === undefined ? undefined : 'text-warn'} title={slow}>
          {cellOf(trace, 'durationMs')}
        </span>
      )
    },
  }),
  fieldColumn('cost', { width: 108 }),
  fieldColumn('tokens', extraNumber),
  fieldColumn('model', { header: 'Models', ...extraText, width: 130 }),
  fieldColumn('feature', extraText),
  fieldColumn('errors', {
    width: 76,
    isExtra: true,
    cell: (trace) => (
      <span className={trace.totals.errors > 0 ? 'text-bad' : undefined}>{cellOf(trace, 'errors')}</span>
    ),
  }),
  fieldColumn('user', extraText),
  fieldColumn('organization', extraText),
  ...recordedNames.map((name) => fieldColumn(name, extraText)),
  fieldColumn('experiment', { isExtra: true }),
  fieldColumn('logs', { width: 72, isExtra: true }),
  fieldColumn('inputTokens', extraNumber),
  fieldColumn('outputTokens', extraNumber),
  {
    id: 'startTime',
    header: 'Start (exact)',
    width: 180,
    isExtra: true,
    cell: ({ startTime }) => <ExactTime time={startTime} />,
  },
  fieldColumn('received', {
    width: 104,
    isExtra: true,
    cell: ({ receivedAt }) => <RelativeTime time={receivedAt} />,
  }),
  ...names.map((id) => namedColumn(id, scores.scoresOf)),
]

/** `metadata.KEY` or `score.NAME`. */
function namedColumn(id: string, scoresOf: ScoresOf): TraceColumn {
  const name = id.slice(id.indexOf('.') + 1)
  if (id.startsWith('score.')) {
    return {
      id,
      header: name,
      width: 96,
      align: 'right',
      isExtra: true,
      cell: (trace) => <ScoreCell cell={scoresOf(trace.id, name)} />,
    }
  }
  return {
    id,
    header: id,
    width: 120,
    grow: 1,
    isExtra: true,
    cell: ({ metadata }) => plain(textOf(metadata?.[name])),
  }
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null
    ? undefined
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)

function ScoreCell({ cell }: { readonly cell: ReturnType<ScoresOf> }) {
  if (cell === undefined) return <Nothing />
  const { latest, count } = cell
  const { value, comment } = latest
  const title = [comment, count > 1 && `The latest of ${count}`].filter(Boolean).join('\n')
  if (typeof value === 'number')
    return (
      <span title={title || undefined}>
        <Count value={Math.round(value * 1000) / 1000} />
      </span>
    )
  if (typeof value === 'string')
    return (
      <span dir="auto" title={title || value}>
        {value}
      </span>
    )
  return (
    <span title={title || undefined} className={value ? 'text-good' : 'text-bad'}>
      {value ? 'yes' : 'no'}
    </span>
  )
}
