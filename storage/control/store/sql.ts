/** A parameter or a column value on both engines: JSON is text, times are unix milliseconds, flags are 0 or 1. */
export type SqlScalar = string | number | null | Uint8Array

/** A parameter: one value, a list for `IN (${ids})`, or a list of rows for `VALUES ${rows}`. */
export type SqlValue = SqlScalar | SqlList

type SqlList = readonly SqlScalar[] | readonly (readonly SqlScalar[])[]

/** Runs one statement with bound parameters; `Row` is what its named columns hold. */
export type Sql = <Row extends object>(strings: TemplateStringsArray, ...values: SqlValue[]) => Promise<Row[]>

/**
 * When a transaction becomes durable: once it commits, or with the next durable one. A power loss may undo the last
 * `later` transactions, but never an earlier one without the ones after it. A process crash undoes none.
 */
export type Durability = 'at once' | 'later'

/** One engine, opened. Nothing outside this folder holds one: see `workspace.ts`. */
export interface Database {
  /** For the few engine-specific statements. */
  readonly engine: 'SQLite' | 'PostgreSQL'
  readonly sql: Sql
  /**
   * Commits all of `work`, or nothing. Inside, use only the `sql` passed in: on SQLite any other would wait for the
   * transaction to end.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, durability?: Durability): Promise<T>
  /** A transaction that excludes other processes; `script` runs many statements without parameters. */
  migrate<T>(work: (sql: Sql, script: (text: string) => Promise<void>) => Promise<T>): Promise<T>
  /** Removes old content of changed pages from the log of an embedded store; a server does this itself. */
  compact(): Promise<void>
  close(): Promise<void>
}

/** The text and the flat parameters of a template, with the engine's own placeholders. */
export function statement(
  strings: TemplateStringsArray,
  values: readonly SqlValue[],
  placeholder: (position: number) => string,
): { text: string; parameters: SqlScalar[] } {
  const parameters: SqlScalar[] = []
  const bind = (value: SqlScalar): string => {
    parameters.push(storable(value))
    return placeholder(parameters.length)
  }
  let text = strings[0] ?? ''
  values.forEach((value, index) => {
    text += (isList(value) ? list(value, bind) : bind(value)) + strings[index + 1]
  })
  return { text, parameters }
}

function list(value: SqlList, bind: (value: SqlScalar) => string): string {
  // IN () is not portable, and nothing equals NULL.
  if (value.length === 0) return 'NULL'
  return value.map((entry) => (isList(entry) ? `(${entry.map(bind).join(', ')})` : bind(entry))).join(', ')
}

function isList(value: SqlValue): value is SqlList {
  return Array.isArray(value)
}

/** PostgreSQL can store neither the character NUL nor a lone surrogate: both become U+FFFD, on both engines. */
function storable(value: SqlScalar): SqlScalar {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value
}
