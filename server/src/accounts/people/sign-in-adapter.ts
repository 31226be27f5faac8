/**
 * The rows of users, accounts and sessions, in the form that better-auth expects. It works with plain session tokens, but
 * the table has their hashes. A row gets its plain token only if the library supplied that token itself; in lists of
 * sessions the hash takes its place.
 */
import type { PeopleStore, SignInCondition, SignInRow } from '@plumbline/storage/control'
import { type CleanedWhere, type CustomAdapter, createAdapterFactory } from 'better-auth/adapters'
import { hashToken } from './one-time-link.ts'

type Rows = PeopleStore['rows']

/** More sessions than any user has. */
const manyMax = 1000

export const signInAdapter = (rows: Rows) =>
  createAdapterFactory({
    config: { adapterId: 'plumbline', supportsNumericIds: false },
    adapter: () => adapterOf(rows),
  })

function adapterOf(rows: Rows): CustomAdapter {
  const find = async (model: string, where: CleanedWhere[], limit: number, sortBy?: SortBy) => {
    const tokens = tokensIn(where)
    const matches = await rows.find({ kind: model, where: conditions(where) }, limit, sortBy)
    return matches.map((row) => withToken(row, tokens))
  }
  return {
    create: async ({ model, data }) => {
      const { token } = data as SignInRow
      if (typeof token !== 'string') return rowAs(await rows.add(model, data))
      return rowAs({ ...(await rows.add(model, { ...data, token: hashToken(token) })), token })
    },
    findOne: async ({ model, where }) => rowAs((await find(model, where, 1))[0] ?? null),
    findMany: async ({ model, where = [], limit, sortBy }) =>
      (await find(model, where, Math.min(limit, manyMax), sortBy)).map(rowAs<never>),
    count: async ({ model, where = [] }) => (await find(model, where, manyMax)).length,
    update: async ({ model, where, update }) => {
      const [row] = await rows.change({ kind: model, where: conditions(where) }, update as SignInRow)
      return rowAs(row === undefined ? null : withToken(row, tokensIn(where)))
    },
    updateMany: async ({ model, where, update }) =>
      (await rows.change({ kind: model, where: conditions(where) }, update)).length,
    delete: async ({ model, where }) => {
      await rows.remove({ kind: model, where: conditions(where) })
    },
    deleteMany: async ({ model, where }) =>
      (await rows.remove({ kind: model, where: conditions(where) })).length,
  }
}

/** The tokens in the conditions, by their hashes. Only sessions have a field with this name. */
const tokensIn = (where: readonly CleanedWhere[]): ReadonlyMap<string, string> =>
  new Map(
    where
      .filter(({ field }) => field === 'token')
      .flatMap(({ value }) => (Array.isArray(value) ? value : [value]))
      .map((token) => [hashToken(String(token)), String(token)]),
  )

const withToken = (row: SignInRow, tokens: ReadonlyMap<string, string>): SignInRow => {
  const token = tokens.get(String(row.token))
  return token === undefined ? row : { ...row, token }
}

type SortBy = { readonly field: string; readonly direction: 'asc' | 'desc' }

const conditions = (where: readonly CleanedWhere[]): SignInCondition[] =>
  where.map(({ field, operator, connector, value }) => ({
    field,
    operator,
    connector,
    value: field !== 'token' ? value : Array.isArray(value) ? value.map(hashOf) : hashOf(value),
  }))

const hashOf = (token: unknown): string => hashToken(String(token))

/** Safe: the library names the type of the row that it requests, and the table has the columns of that kind. */
const rowAs = <Row>(row: SignInRow | null): Row => row as Row
