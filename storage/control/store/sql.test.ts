import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AlreadyExists } from '../errors.ts'
import { engines, type Place } from '../testing.ts'
import { openPostgres } from './postgres.ts'
import { type Database, type SqlValue, statement } from './sql.ts'
import { openSqlite } from './sqlite.ts'
import { workspaceDb } from './workspace.ts'

for (const engine of engines) {
  describe(`statements on ${engine.name}`, () => {
    let place: Place
    let database: Database
    before(async () => {
      place = await engine.emptyPlace()
      const { location } = place
      database = 'file' in location ? openSqlite(location.file) : openPostgres(location.url)
      await database.sql`CREATE TABLE things (id text PRIMARY KEY, size bigint, weight double precision)`
    })
    after(async () => {
      await database.close()
      await place.remove()
    })

    test('numbers are returned unchanged: times, fractions, whole numbers in a fraction column', async () => {
      const time = new Date('9999-12-31T23:59:59.999Z').getTime()
      const { sql } = database
      await sql`INSERT INTO things (id, size, weight) VALUES ${[
        ['time', time, 0.1],
        ['whole', -1, 2],
        ['none', null, null],
      ]}`
      const rows =
        await sql`SELECT id, size, weight FROM things WHERE id IN (${['time', 'whole', 'none']}) ORDER BY id`
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        [
          { id: 'none', size: null, weight: null },
          { id: 'time', size: time, weight: 0.1 },
          { id: 'whole', size: -1, weight: 2 },
        ],
      )
      const [sums] = await sql<{
        size: number
      }>`SELECT SUM(size) AS size FROM things WHERE id IN (${['time', 'whole']})`
      assert.equal(sums?.size, time - 1)
    })

    test('an empty list matches nothing', async () => {
      assert.deepEqual(await database.sql`SELECT id FROM things WHERE id IN (${[]})`, [])
    })

    test('a value is never read as SQL', async () => {
      const id = "'); DROP TABLE things; --"
      await database.sql`INSERT INTO things (id) VALUES (${id})`
      assert.equal((await database.sql`SELECT id FROM things WHERE id = ${id}`).length, 1)
    })

    test('a failed transaction leaves nothing, and its key is free', async () => {
      const work = database.transaction(async (sql) => {
        await sql`INSERT INTO things (id) VALUES (${'rolled back'})`
        throw new Error('Enough.')
      })
      await assert.rejects(work, /Enough/)
      await database.sql`INSERT INTO things (id) VALUES (${'rolled back'})`
    })

    test('a duplicate key is refused with the name of its table, in a transaction too', async () => {
      await database.sql`INSERT INTO things (id) VALUES (${'taken'})`
      const isRefusal = (error: unknown) => error instanceof AlreadyExists && error.table === 'things'
      await assert.rejects(database.sql`INSERT INTO things (id) VALUES (${'taken'})`, isRefusal)
      await assert.rejects(
        database.transaction((sql) => sql`INSERT INTO things (id) VALUES (${'taken'})`),
        isRefusal,
      )
    })

    test('no other statement runs within an open transaction', async () => {
      let outerStatement: Promise<object[]> | undefined
      await assert.rejects(
        database.transaction(async (sql) => {
          await sql`INSERT INTO things (id) VALUES (${'inside'})`
          outerStatement = database.sql`INSERT INTO things (id) VALUES (${'outside'})`
          await sql`SELECT id FROM things`
          throw new Error('Rolled back.')
        }),
        /Rolled back/,
      )
      await outerStatement
      const rows = await database.sql<{ id: string }>`
        SELECT id FROM things WHERE id IN (${['inside', 'outside']})`
      assert.deepEqual(
        rows.map(({ id }) => id),
        ['outside'],
      )
    })

    test('a statement after the end of its transaction is refused', async () => {
      const leaked = await database.transaction(async (sql) => ({ sql }))
      assert.throws(() => leaked.sql`SELECT id FROM things`, /has ended/)
    })

    test('a statement that does not bind its workspace is refused', async () => {
      const db = workspaceDb(database, 'w')
      assert.throws(() => db.sql`SELECT id FROM things`, /does not bind its workspace/)
      await assert.rejects(
        db.transaction(({ sql }) => sql`SELECT id FROM things`),
        /does not bind its workspace/,
      )
    })
  })
}

test('lists and rows become one placeholder for each value', () => {
  const placeholder = (position: number) => `$${position}`
  const build = (strings: TemplateStringsArray, ...values: SqlValue[]) =>
    statement(strings, values, placeholder)
  const rows = [
    [1, 'a'],
    [2, 'b'],
  ]
  assert.deepEqual(build`x ${0} IN (${['p', 'q']}) VALUES ${rows} ${null}`, {
    text: 'x $1 IN ($2, $3) VALUES ($4, $5), ($6, $7) $8',
    parameters: [0, 'p', 'q', 1, 'a', 2, 'b', null],
  })
})
