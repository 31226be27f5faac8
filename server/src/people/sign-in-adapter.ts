/** The rows of people, accounts and sessions, as better-auth asks for them. */
import type { PeopleStore, SignInCondition, SignInRow } from '@plumbline/storage/control'
import { type CleanedWhere, type CustomAdapter, createAdapterFactory } from 'better-auth/adapters'

type Rows = PeopleStore['rows']

/** More than anybody has sessions. */
const manyMax = 1000

export const signInAdapter = (rows: Rows) =>
  createAdapterFactory({
    config: { adapterId: 'plumbline', supportsNumericIds: false },
    adapter: () => adapterOf(rows),
  })

function adapterOf(rows: Rows): CustomAdapter {
  const find = async (model: string, where: CleanedWhere[], limit: number, sortBy?: SortBy) =>
    rows.find({ kind: model, where: conditions(where) }, limit, sortBy)
  return {
    create: async ({ model, data }) => rowAs(await rows.add(model, data)),
    findOne: async ({ model, where }) => rowAs((await find(model, where, 1))[0] ?? null),
    findMany: async ({ model, where = [], limit, sortBy }) =>
      (await find(model, where, Math.min(limit, manyMax), sortBy)).map(rowAs<never>),
    count: async ({ model, where = [] }) => (await find(model, where, manyMax)).length,
    update: async ({ model, where, update }) =>
      rowAs((await rows.change({ kind: model, where: conditions(where) }, update as SignInRow))[0] ?? null),
    updateMany: async ({ model, where, update }) =>
      (await rows.change({ kind: model, where: conditions(where) }, update)).length,
    delete: async ({ model, where }) => {
      await rows.remove({ kind: model, where: conditions(where) })
    },
    deleteMany: async ({ model, where }) =>
      (await rows.remove({ kind: model, where: conditions(where) })).length,
  }
}

type SortBy = { readonly field: string; readonly direction: 'asc' | 'desc' }

const conditions = (where: readonly CleanedWhere[]): SignInCondition[] =>
  where.map(({ field, operator, connector, value }) => ({ field, operator, connector, value }))

/** Safe: the library names the type of the row it asked for, and the table has the columns of that kind. */
const rowAs = <Row>(row: SignInRow | null): Row => row as Row
