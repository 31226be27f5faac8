import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { NotFound } from '../errors.ts'
import { openControlStore } from '../store/open.ts'
import { openPostgres } from '../store/postgres.ts'
import type { Database, Sql, SqlScalar } from '../store/sql.ts'
import { openSqlite } from '../store/sqlite.ts'
import { engines, type Place } from '../testing.ts'
import { tablesThatStay, workspaceTables } from './workspace-deletion.ts'

const now = new Date('2027-01-01T10:00:00.123Z')

interface Column {
  readonly name: string
  readonly type: string
  /** The table that `REFERENCES` names. */
  readonly parent: string | undefined
}

/** Every table of `schema.sql` that belongs to workspaces, with its columns. */
const tables = new Map(
  [
    ...readFileSync(new URL('../schema.sql', import.meta.url), 'utf8').matchAll(
      /^CREATE TABLE (\w+) \(\n(.*?)^\);/gms,
    ),
  ]
    .map(([, name = '', body = '']): [string, Column[]] => [
      name,
      [...body.matchAll(/^ {2}([a-z]\w*) (text|bigint|double precision|bytea)([^\n]*)/gm)].map(
        ([, column = '', type = '', rest = '']) => ({
          name: column,
          type,
          parent: /REFERENCES (\w+)/.exec(rest)?.[1],
        }),
      ),
    ])
    .filter(
      ([name, columns]) =>
        !tablesThatStay.includes(name) && columns.some((column) => column.name === 'workspace_id'),
    ),
)

/** One row of a table: ids are derived from workspace and table, and other keys are the same in all tables. */
function rowOf(table: string, workspaceId: string, index = 0): Record<string, SqlScalar> {
  const own = (name: string) => `${workspaceId} ${name}${index === 0 ? '' : ` ${index}`}`
  return Object.fromEntries(
    tables.get(table)!.map(({ name, type, parent }) => {
      if (name === 'workspace_id') return [name, workspaceId]
      if (parent !== undefined) return [name, `${workspaceId} ${parent}`]
      if (name === 'id' || name === 'hash') return [name, own(table)]
      if (name.endsWith('_id')) return [name, `${workspaceId} ${name}`]
      return [name, type === 'bytea' ? Buffer.from('a') : type === 'text' ? 'a' : 1]
    }),
  )
}

async function insert(
  sql: Sql,
  table: string,
  ...rows: readonly Readonly<Record<string, SqlScalar>>[]
): Promise<void> {
  const strings = [`INSERT INTO ${table} (${Object.keys(rows[0]!).join(', ')}) VALUES `, '']
  await sql(
    Object.assign(strings, { raw: strings }),
    rows.map((row) => Object.values(row)),
  )
}

/** A row in every table of a workspace, parents before children. */
async function fill(sql: Sql, workspaceId: string): Promise<void> {
  const person = { id: `${workspaceId} people`, name: 'Ada', email: workspaceId }
  await insert(sql, 'people', { ...person, email_verified: 1, created_at: 1, updated_at: 1 })
  for (const { name } of workspaceTables.toReversed()) await insert(sql, name, rowOf(name, workspaceId))
  // More than one statement can delete.
  await insert(
    sql,
    'views',
    ...Array.from({ length: 2500 }, (_each, index) => rowOf('views', workspaceId, index + 1)),
  )
}

/** All rows of a workspace, by table. */
async function contentOf(sql: Sql, workspaceId: string): Promise<Record<string, object[]>> {
  const read = [...tables.keys()].map(async (table): Promise<[string, object[]]> => {
    const strings = [`SELECT * FROM ${table} WHERE workspace_id = `, '']
    return [table, await sql(Object.assign(strings, { raw: strings }), workspaceId)]
  })
  const own = await sql`SELECT id, name, deleting_at FROM workspaces WHERE id = ${workspaceId}`
  return { ...Object.fromEntries(await Promise.all(read)), workspaces: own }
}

const openDatabase = ({ location }: Place): Database =>
  'file' in location ? openSqlite(location.file) : openPostgres(location.url)

test('every table of a workspace is deleted with it', () => {
  assert.deepEqual(workspaceTables.map(({ name }) => name).toSorted(), [...tables.keys()].toSorted())
})

for (const engine of engines) {
  describe(`deleting a workspace on ${engine.name}`, () => {
    test('no table keeps its rows, wherever the deletion was interrupted, and another workspace is unchanged', async () => {
      const place = await engine.emptyPlace()
      const store = await openControlStore(place.location)
      const [deletedItem, other] = [
        await store.createWorkspace({ name: 'A' }),
        await store.createWorkspace({ name: 'B' }),
      ]
      const database = openDatabase(place)
      for (const { id } of [deletedItem, other]) await fill(database.sql, id)
      const before = await contentOf(database.sql, other.id)
      assert.ok(Object.values(before).every((rows) => rows.length > 0))

      assert.equal(await store.deletions.begin(deletedItem.id, now), true)
      assert.equal(await store.deletions.begin(deletedItem.id, now), false)
      assert.deepEqual(await store.deletions.list(), [{ workspaceId: deletedItem.id, since: now }])
      const marked = await contentOf(database.sql, deletedItem.id)
      for (const table of ['members', 'invitations', 'api_keys']) assert.deepEqual(marked[table], [])
      assert.equal((await store.revisions()).has(deletedItem.id), false)
      assert.equal(await store.findApiKeyByHash(`${deletedItem.id} api_keys`), undefined)
      const scoped = store.scopedTo({ workspaceId: deletedItem.id })
      await assert.rejects(scoped.features.create({ slug: 'b', name: 'B' }, now), NotFound)

      await store.deletions.deleteRows(deletedItem.id)
      await store.deletions.deleteRows(deletedItem.id)
      const left = Object.entries(await contentOf(database.sql, deletedItem.id)).filter(
        ([, rows]) => rows.length > 0,
      )
      assert.deepEqual(left.map(([table]) => table).toSorted(), ['files', 'workspaces'])
      assert.deepEqual(await Array.fromAsync(store.deletions.fileKeys(deletedItem.id)), ['a'])
      // Rows written later by an earlier request are deleted too.
      await insert(database.sql, 'ledger_batches', rowOf('ledger_batches', deletedItem.id))

      await store.deletions.finish(deletedItem.id)
      await store.deletions.finish(deletedItem.id)
      for (const [table, rows] of Object.entries(await contentOf(database.sql, deletedItem.id)))
        assert.deepEqual(rows, [], table)
      assert.deepEqual(await contentOf(database.sql, other.id), before)
      assert.deepEqual(await store.deletions.list(), [])
      await store.deletions.finish(other.id)
      assert.equal((await store.revisions()).has(other.id), true)
      await store.close()
      await database.close()
      await place.remove()
    })
  })
}
