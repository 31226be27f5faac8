/** Converts a trace to a table row. */
import { type ExportedName, fieldEntries, type TraceField } from '@plumbline/contract'
import type { StoredTrace, TraceRow } from '@plumbline/storage/traces'
import { arrivalMs } from '@plumbline/storage/traces/rows'
import type { Cell, TableColumn, TableRow } from '../../table-files/table.ts'

interface TraceColumn extends TableColumn {
  readonly cell: (trace: StoredTrace) => Cell
}

const column = (
  name: string,
  type: TableColumn['type'],
  cell: (trace: StoredTrace['trace'], scores: StoredTrace['scores']) => Cell,
): TraceColumn => ({ name, type, cell: ({ trace, scores }) => cell(trace, scores) })

/** Cells whose form or name differs from the row's field. */
const computed: Partial<Record<ExportedName, (trace: TraceRow) => Cell>> = {
  id: ({ traceId }) => traceId,
  startTime: ({ startUs }) => startUs,
  endTime: ({ endUs }) => endUs,
  receivedAt: ({ traceId }) => BigInt(arrivalMs(traceId)) * 1000n,
  durationMs: ({ durationUs }) => (durationUs === null ? null : Number(durationUs) / 1000),
  models: ({ models }) => models.join(' '),
}

/** Every other column has the name of the row's field. Values other than texts are JSON in the row. */
function cellOf(row: TraceRow, name: ExportedName, { type }: TraceField): Cell {
  const compute = computed[name]
  if (compute !== undefined) return compute(row)
  // Safe: a column that is not computed is a field of the row, of the type that the contract states.
  const value = row[name as keyof TraceRow] as Cell | readonly string[]
  if (Array.isArray(value)) return value.length === 0 ? null : JSON.stringify(value)
  return type === 'json' ? plain(value as string | null) : (value as Cell)
}

const columnTypes: Readonly<Record<TraceField['type'], TableColumn['type']>> = {
  text: 'text',
  list: 'text',
  json: 'text',
  number: 'number',
  flag: 'flag',
  instant: 'instant',
}

const fieldColumns = fieldEntries.flatMap(([, field]) => {
  // Safe: the table of fields guarantees it.
  const name = field.exportColumn as ExportedName | undefined
  return name === undefined
    ? []
    : [column(name, columnTypes[field.type], (trace) => cellOf(trace, name, field))]
})

/** The columns that identify a trace come first. */
const firstColumns: readonly string[] = ['id', 'name']
const isLeading = ({ name }: TraceColumn): boolean => firstColumns.includes(name)

/** Columns have the names of the interface. */
export const traceColumns: readonly TraceColumn[] = [
  ...fieldColumns
    .filter(isLeading)
    .sort((a, b) => firstColumns.indexOf(a.name) - firstColumns.indexOf(b.name)),
  ...fieldColumns.filter((each) => !isLeading(each)),
  column('scores', 'text', (_trace, scores) => (scores.length === 0 ? null : scoresAsJson(scores))),
]

export const toTableRow = (trace: StoredTrace): TableRow => traceColumns.map(({ cell }) => cell(trace))

/** A JSON text without its quotes; other JSON unchanged. */
function plain(json: string | null): string | null {
  return json?.startsWith('"') ? (JSON.parse(json) as string) : json
}

function scoresAsJson(scores: StoredTrace['scores']): string {
  return JSON.stringify(
    scores.map(({ name, value, comment, logId, source }) => ({ name, value, comment, logId, source })),
  )
}
