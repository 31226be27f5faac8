/** Corrects the hourly roll-ups when rows are replaced or changed, which materialized views do not see. */
import { fieldEntries, type TraceField } from '@plumbline/contract'
import type { Clients } from '../engine/clients.ts'
import { text, textOrNull } from '../rows/column-types.ts'
import { column, encodeRows } from '../rows/row-block.ts'

/** Columns of a roll-up with the contribution of a row; `sign` is 1 for added rows and -1 for removed ones. */
export type Columns = {
  readonly keys: Readonly<Record<string, string>>
  readonly sums: Readonly<Record<string, string>>
}

const unsignedSum = (sum: string): string => `toString(toUInt64(sum(sign * toInt64(${sum}))))`
const signedSum = (sum: string): string => `toString(sum(sign * ifNull(${sum}, 0)))`
const float = (sum: string): string => `sum(sign * ifNull(${sum}, 0))`

/** The columns that sums are kept apart by, which have the same names everywhere. */
const listRolledUp = (isIncluded: (field: TraceField) => boolean): Columns['keys'] =>
  Object.fromEntries(
    fieldEntries.flatMap(([, field]) =>
      field.isRolledUp === true && field.logColumn !== undefined && isIncluded(field)
        ? [[field.logColumn, field.logColumn]]
        : [],
    ),
  )

export const tracesHourly: Columns = {
  keys: {
    workspace_id: 'workspace_id',
    hour_us: 'start_us - positiveModulo(start_us, 3600000000)',
    ...listRolledUp(({ type }) => type === 'text'),
  },
  sums: {
    traces: unsignedSum('1'),
    failed_traces: unsignedSum('t.errors > 0'),
    errors: unsignedSum('t.errors'),
    logs: unsignedSum('t.log_count'),
    input_tokens: float('t.input_tokens'),
    output_tokens: float('t.output_tokens'),
    cost: float('t.cost'),
    priced: unsignedSum('t.cost IS NOT NULL'),
    duration_us: signedSum('t.duration_us'),
    timed: unsignedSum('t.duration_us IS NOT NULL'),
  },
}

export const logsHourly: Columns = {
  keys: {
    workspace_id: 'workspace_id',
    hour_us: 'trace_start_us - positiveModulo(trace_start_us, 3600000000)',
    ...listRolledUp(() => true),
  },
  sums: {
    logs: unsignedSum('1'),
    errors: unsignedSum('t.has_error'),
    input_tokens: float('if(t.counts_in_totals, t.input_tokens, 0)'),
    output_tokens: float('if(t.counts_in_totals, t.output_tokens, 0)'),
    cost: float('t.cost_in_totals'),
    priced: unsignedSum('t.cost_in_totals IS NOT NULL'),
    duration_us: signedSum('t.duration_us'),
    timed: unsignedSum('t.duration_us IS NOT NULL'),
  },
}

export type Change = {
  readonly table: 'traces' | 'logs'
  readonly columns: Columns
  /** `FROM` and `WHERE`; the table goes by `t`. */
  readonly rows: string
  /** 1 or -1 for each row. */
  readonly sign: string
  readonly workspaces: { readonly workspaces: string[] }
  /** The sums are added once per token. */
  readonly token: string
}

/** Adds rows to the hourly sums, or subtracts them. Counts are unsigned: a subtraction adds the complement to 2^64, since the engine's sums wrap around. */
export async function addSums(
  clients: Clients,
  { table, columns: { keys, sums }, rows: from, sign, workspaces, token }: Change,
): Promise<void> {
  const names = [...Object.keys(keys), ...Object.keys(sums)]
  const selected = [...Object.values(keys), ...Object.values(sums)].map((sql, index) => `${sql} AS c${index}`)
  const grouped = Object.keys(keys).map((_, index) => `c${index}`)
  const rows = await clients.read<Row>(
    `WITH ${sign} AS sign SELECT ${selected.join(', ')} ${from} GROUP BY ${grouped.join(', ')} ORDER BY ALL`,
    workspaces,
  )
  if (rows.length === 0) return
  const columns = names.map((name, index) => {
    const textOf = (row: Row): string | null => textOrAbsent(row[`c${index}`])
    // Keys may be absent, all but the workspace's; the engine reads numbers from their texts.
    return name === 'workspace_id' || name in sums
      ? column<Row, string>(name, text, (row) => textOf(row) ?? '')
      : column<Row, string | null>(name, textOrNull, textOf)
  })
  await clients.insert({
    table: `${table}_hourly`,
    columns: names,
    block: encodeRows(columns, rows),
    token: `${token}/${table}_hourly`,
  })
}

type Row = Readonly<Record<string, unknown>>

/** A key is a text or absent; a sum is a number, of which a large one is a text. */
const textOrAbsent = (cell: unknown): string | null => (cell === null ? null : String(cell))
