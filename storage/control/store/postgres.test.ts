import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { eventually } from '../../../fixtures/eventually.ts'
import { ControlStoreAway } from '../errors.ts'
import { emptyDatabase } from '../testing.ts'
import { openPostgres } from './postgres.ts'
import type { Sql } from './sql.ts'

test('a connection that is cut during a statement is away, and the next statement gets another', async () => {
  const place = await emptyDatabase()
  assert.ok('url' in place.location)
  const database = openPostgres(place.location.url)
  const cutConnection = (sql: Sql) => sql`SELECT pg_terminate_backend(pg_backend_pid())`
  await assert.rejects(cutConnection(database.sql), ControlStoreAway)
  await assert.rejects(database.transaction(cutConnection), ControlStoreAway)
  const [row] = await database.sql<{ answer: number }>`SELECT CAST(1 AS bigint) AS answer`
  assert.equal(row?.answer, 1)
  await database.close()
  await assert.rejects(database.sql`SELECT 1`, ControlStoreAway)
  await place.remove()
})

test('a server that hangs fails the calls under way, and then each at once until it answers', async () => {
  const place = await emptyDatabase()
  assert.ok('url' in place.location)
  const relay = await startRelay(place.location.url)
  const database = openPostgres(relay.url)
  await database.sql`CREATE TABLE names (name text PRIMARY KEY)`
  await assert.rejects(
    database.transaction(async (sql) => {
      await sql`INSERT INTO names (name) VALUES ('before')`
      relay.hang()
      await sql`INSERT INTO names (name) VALUES ('while it hangs')`
    }),
    ControlStoreAway,
  )
  const isReached = relay.connectionCount()
  for (let call = 0; call < 100; call++) await assert.rejects(database.sql`SELECT 1`, ControlStoreAway)
  assert.ok(relay.connectionCount() - isReached <= 1, 'one probe at most')

  relay.resume()
  const names = () => database.sql<{ name: string }>`SELECT name FROM names`
  assert.deepEqual(await eventually(names), [])
  await database.close()
  await relay.stop()
  await place.remove()
})

/** Stands before a PostgreSQL server; while it hangs, it accepts connections and passes nothing on. */
async function startRelay(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let connectionCount = 0
  let isHanging = false
  const server = createServer((socket) => {
    connectionCount++
    const upstream = connect(Number(port), hostname)
    const ends = [socket, upstream]
    for (const [end, other] of [ends, ends.toReversed()] as [Socket, Socket][]) {
      sockets.add(end)
      end.on('data', (data) => other.write(data))
      end.on('error', () => undefined)
      end.on('close', () => {
        sockets.delete(end)
        other.destroy()
      })
    }
    if (isHanging) for (const end of ends) end.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address !== 'string')
  const url = new URL(target)
  url.port = String(address.port)
  return {
    url: url.href,
    connectionCount: () => connectionCount,
    hang: () => {
      isHanging = true
      for (const socket of sockets) socket.pause()
    },
    resume: () => {
      isHanging = false
      for (const socket of sockets) socket.resume()
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
