/** Corrects the hourly roll-ups when rows are replaced or changed, which materialized views do not see. */
import { fieldEntries, type TraceField } from '@plumbline/contract'
import type { Clients } from '../engine/clients.ts'
import { text, textOrNull } from '../rows/column-types.ts'
import { column, encodeRows } from '../rows/row-block.ts'

/** What a row adds to a sum: a count (unsigned in the roll-up), an integer, or any number. */
export type Contribution = { readonly type: 'count' | 'integer' | 'number'; readonly value: string }

/** Expressions for the columns of a roll-up over a row of its table, with the alias `t`. */
export type Columns = {
  readonly keys: Readonly<Record<string, string>>
  readonly sums: Readonly<Record<string, Contribution>>
}

export const count = (value: string): Contribution => ({ type: 'count', value })
const integer = (value: string): Contribution => ({ type: 'integer', value })
export const number = (value: string): Contribution => ({ type: 'number', value })

/** The columns that sums are grouped by, which have the same names in all tables. */
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
    traces: count('1'),
    failed_traces: count('t.errors > 0'),
    errors: count('t.errors'),
    logs: count('t.log_count'),
    input_tokens: number('t.input_tokens'),
    output_tokens: number('t.output_tokens'),
    cost: number('t.cost'),
    priced: count('t.cost IS NOT NULL'),
    duration_us: integer('t.duration_us'),
    timed: count('t.duration_us IS NOT NULL'),
  },
}

export const logsHourly: Columns = {
  keys: {
    workspace_id: 'workspace_id',
    hour_us: 'trace_start_us - positiveModulo(trace_start_us, 3600000000)',
    ...listRolledUp(() => true),
  },
  sums: {
    logs: count('1'),
    errors: count('t.has_error'),
    input_tokens: number('if(t.counts_in_totals, t.input_tokens, 0)'),
    output_tokens: number('if(t.counts_in_totals, t.output_tokens, 0)'),
    cost: number('t.cost_in_totals'),
    priced: count('t.cost_in_totals IS NOT NULL'),
    duration_us: integer('t.duration_us'),
    timed: count('t.duration_us IS NOT NULL'),
  },
}

export type Change = {
  readonly table: 'traces' | 'logs'
  readonly columns: Columns
  /** `FROM` and `WHERE`; the table has the alias `t`. */
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
  const selected = [...Object.values(keys), ...Object.values(sums).map(signedSum)].map(
    (sql, index) => `${sql} AS c${index}`,
  )
  const grouped = Object.keys(keys).map((_, index) => `c${index}`)
  const rows = await clients.read<Row>(
    `WITH ${sign} AS sign SELECT ${selected.join(', ')} ${from} GROUP BY ${grouped.join(', ')} ORDER BY ALL`,
    workspaces,
  )
  if (rows.length === 0) return
  const columns = names.map((name, index) => {
    const textOf = (row: Row): string | null => textOrAbsent(row[`c${index}`])
    // All keys except the workspace may be absent; the engine parses numbers from texts.
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

/** `sign` is 1 for added rows and -1 for removed ones. */
function signedSum({ type, value }: Contribution): string {
  switch (type) {
    case 'count':
      return `toString(toUInt64(sum(sign * toInt64(${value}))))`
    case 'integer':
      return `toString(sum(sign * ifNull(${value}, 0)))`
    case 'number':
      return `sum(sign * ifNull(${value}, 0))`
  }
}

/** The roll-up columns for each single row, with the types of the roll-up. */
export function selectContributions({ keys, sums }: Columns): string {
  const types = { count: 'UInt64', integer: 'Int64', number: 'Float64' } as const
  return [
    ...Object.entries(keys).map(([name, sql]) => `${sql} AS ${name}`),
    ...Object.entries(sums).map(
      ([name, { type, value }]) => `to${types[type]}(ifNull(${value}, 0)) AS ${name}`,
    ),
  ].join(', ')
}

type Row = Readonly<Record<string, unknown>>

/** A key is a text or absent; a sum is a number, or a text if it is large. */
const textOrAbsent = (cell: unknown): string | null => (cell === null ? null : String(cell))
