/**
 * Users, their accounts and sessions, as the sign-in library queries them: rows of a kind that match conditions. Kinds,
 * fields and operators are taken from the tables below, and values are bound, so that no input becomes SQL.
 */
import type { Sql, SqlScalar, SqlValue } from '../store/sql.ts'

export type SignInValue = string | number | boolean | Date | null | undefined
export type SignInRow = Readonly<Record<string, SignInValue>>

/** A condition on one field; conditions with `OR` are alternatives to each other, and all others must hold. */
export type SignInCondition = {
  readonly field: string
  readonly operator: string
  readonly connector: 'AND' | 'OR'
  readonly value: unknown
}

export type SignInQuestion = { readonly kind: string; readonly where: readonly SignInCondition[] }

/** The table of each kind of row, and the column of each of its fields; other fields are dropped. */
const tables: Readonly<Record<string, { table: string; columns: Readonly<Record<string, string>> }>> = {
  user: {
    table: 'people',
    columns: {
      id: 'id',
      name: 'name',
      email: 'email',
      emailVerified: 'email_verified',
      image: 'image',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  account: {
    table: 'person_accounts',
    columns: {
      id: 'id',
      userId: 'person_id',
      providerId: 'provider_id',
      accountId: 'account_id',
      password: 'password',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  session: {
    table: 'person_sessions',
    columns: {
      id: 'id',
      userId: 'person_id',
      // The hash of the token; the token itself is never stored.
      token: 'token_hash',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
}

const comparisons: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
}

/** Adds a row. */
export async function add(sql: Sql, kind: string, row: SignInRow): Promise<SignInRow> {
  const { table, columns } = tableOf(kind)
  const fields = readStoredColumns(columns, row)
  const names = fields.map(([column]) => column).join(', ')
  const values = bind([fields.map(([, value]) => value)])
  const rows = await ask(sql, [
    `INSERT INTO ${table} (${names}) VALUES `,
    values,
    ` RETURNING ${listOf(columns)}`,
  ])
  return rows.map((insertedRow) => toSignInRow(columns, insertedRow))[0]!
}

/** At most `limit` matching rows, sorted if `sortBy` is given. */
export async function find(
  sql: Sql,
  { kind, where }: SignInQuestion,
  limit: number,
  sortBy?: { readonly field: string; readonly direction: 'asc' | 'desc' },
): Promise<SignInRow[]> {
  const { table, columns } = tableOf(kind)
  const order = sortBy === undefined ? '' : ` ORDER BY ${columnOf(columns, sortBy.field)} ${sortBy.direction}`
  const rows = await ask(sql, [
    `SELECT ${listOf(columns)} FROM ${table}`,
    ...whereOf(columns, where),
    `${order} LIMIT `,
    bind(limit),
  ])
  return rows.map((row) => toSignInRow(columns, row))
}

/** Updates the matching rows and returns them. */
export async function change(
  sql: Sql,
  { kind, where }: SignInQuestion,
  newValues: SignInRow,
): Promise<SignInRow[]> {
  const { table, columns } = tableOf(kind)
  const fields = readStoredColumns(columns, newValues)
  if (fields.length === 0) return find(sql, { kind, where }, 1)
  const rows = await ask(sql, [
    `UPDATE ${table} SET `,
    ...fields.flatMap(([column, value], index) => [`${index === 0 ? '' : ', '}${column} = `, bind(value)]),
    ...whereOf(columns, where),
    ` RETURNING ${listOf(columns)}`,
  ])
  return rows.map((row) => toSignInRow(columns, row))
}

/** Deletes the matching rows and returns them. */
export async function remove(sql: Sql, { kind, where }: SignInQuestion): Promise<SignInRow[]> {
  const { table, columns } = tableOf(kind)
  const rows = await ask(sql, [
    `DELETE FROM ${table}`,
    ...whereOf(columns, where),
    ` RETURNING ${listOf(columns)}`,
  ])
  return rows.map((row) => toSignInRow(columns, row))
}

type Columns = Readonly<Record<string, string>>
/** A piece of a statement: text from this file, or a value to bind. */
type Piece = string | { readonly value: SqlValue }

const bind = (value: SqlValue): Piece => ({ value })

/** Runs a statement assembled from pieces. */
function ask(sql: Sql, pieces: readonly Piece[]): Promise<Record<string, SqlScalar>[]> {
  const texts = ['']
  const values: SqlValue[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string') texts[texts.length - 1] += piece
    else {
      values.push(piece.value)
      texts.push('')
    }
  }
  return sql<Record<string, SqlScalar>>(Object.assign(texts, { raw: texts }), ...values)
}

function whereOf(columns: Columns, where: readonly SignInCondition[]): Piece[] {
  const join = (conditions: readonly SignInCondition[], word: string): Piece[] =>
    conditions.flatMap((condition, index) => [
      index === 0 ? '' : ` ${word} `,
      ...comparison(columns, condition),
    ])
  const all = where.filter(({ connector }) => connector === 'AND')
  const some = where.filter(({ connector }) => connector === 'OR')
  if (where.length === 0) return []
  if (some.length === 0) return [' WHERE ', ...join(all, 'AND')]
  const alternatives = ['(', ...join(some, 'OR'), ')']
  return all.length === 0
    ? [' WHERE ', ...alternatives]
    : [' WHERE ', ...join(all, 'AND'), ' AND ', ...alternatives]
}

function comparison(columns: Columns, { field, operator, value }: SignInCondition): Piece[] {
  const column = columnOf(columns, field)
  if (operator === 'in' && Array.isArray(value)) return [`${column} IN (`, bind(value.map(toScalar)), ')']
  if (value === null && operator === 'eq') return [`${column} IS NULL`]
  if (value === null && operator === 'ne') return [`${column} IS NOT NULL`]
  const sign = comparisons[operator]
  if (sign === undefined) throw new Error(`A condition with ${operator} is not known here.`)
  return [`${column} ${sign} `, bind(toScalar(value))]
}

function tableOf(kind: string) {
  const definition = tables[kind]
  if (definition === undefined) throw new Error(`There is no table for ${kind}.`)
  return definition
}

function columnOf(columns: Columns, field: string): string {
  const column = columns[field]
  if (column === undefined) throw new Error(`There is no column for ${field}.`)
  return column
}

const listOf = (columns: Columns): string => Object.values(columns).join(', ')

/** The columns of a row's fields with the values to store. */
const readStoredColumns = (columns: Columns, row: SignInRow): [column: string, value: SqlScalar][] =>
  Object.entries(row).flatMap(([field, value]) => {
    const column = columns[field]
    return column === undefined ? [] : [[column, toScalar(value)]]
  })

function toScalar(value: unknown): SqlScalar {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' || typeof value === 'number') return value
  return null
}

const toSignInRow = (columns: Columns, row: Readonly<Record<string, SqlScalar>>): SignInRow =>
  Object.fromEntries(
    Object.entries(columns).map(([field, column]) => {
      const value = row[column] ?? null
      if (field.endsWith('At') && typeof value === 'number') return [field, new Date(value)]
      return [field, field === 'emailVerified' ? value === 1 : value]
    }),
  )
