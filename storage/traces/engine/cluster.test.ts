/** No cluster runs here: docs/trace-store.md describes these checks and a run with ZooKeeper. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { openTestClients } from '../testing/testing-clients.ts'
import { type Clients, openClients } from './clients.ts'
import { onCluster, refuseOtherTopology } from './cluster.ts'
import { createMigrations, readMigrations } from './migrate.ts'

let clients: Clients
before(async () => {
  clients = await openTestClients()
})
after(() => clients.close())

/** Formats a statement with the engine's own parser. */
async function format(statement: string): Promise<string> {
  const [row] = await clients.read<{ text: string }>('SELECT formatQuery({statement:String}) AS text', {
    statement,
  })
  return row!.text
}

test('every statement of the migrations runs on all servers of a cluster, and creates only replicated tables', async () => {
  const statements = [createMigrations, ...readMigrations().flatMap((migration) => migration.statements)]
  for (const statement of statements) {
    const [before, after] = [await format(statement), await format(onCluster(statement, 'ours'))]
    const [first = '', ...rest] = after.split('\n')
    assert.match(first, / ON CLUSTER ours\b/, first)
    assert.equal(after.match(/ON CLUSTER/g)?.length, 1)
    assert.doesNotMatch(after, /non_replicated/)
    const engine = /ENGINE = (\w+)/.exec(after)?.[1]
    if (engine !== undefined) assert.match(engine, /^Replicated\w*MergeTree$/)
    // Nothing else changes.
    const restored = [first.replace(' ON CLUSTER ours', ''), ...rest]
      .join('\n')
      .replace('ENGINE = Replicated', 'ENGINE = ')
      .replace('replicated_deduplication', 'non_replicated_deduplication')
      .replace(/, replicated_deduplication_window_seconds = \d+/, '')
    assert.equal(restored, before)
  }
})

test('servers keep batch tokens for days, instead of the default hour', () => {
  const statements = readMigrations().flatMap((migration) => migration.statements)
  const deduplicating = statements.filter((each) => each.includes('deduplication_window'))
  assert.ok(deduplicating.length > 0)
  for (const statement of deduplicating)
    assert.match(onCluster(statement, 'ours'), /replicated_deduplication_window_seconds = 604800\b/)
})

test('a statement on all servers may take a day', async (t) => {
  const queries: URLSearchParams[] = []
  const server = createServer((request, response) => {
    queries.push(new URL(request.url ?? '/', 'http://server').searchParams)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const remote = openClients({ url: `http://127.0.0.1:${port}`, cluster: 'ours' })
  t.after(async () => {
    await remote.close()
    server.close()
  })
  await remote.maintain("ALTER TABLE traces ON CLUSTER 'ours' ADD COLUMN IF NOT EXISTS more String")
  assert.deepEqual(
    queries.map((query) => query.get('distributed_ddl_task_timeout')),
    ['86400'],
  )
})

test('single-server tables are refused on a cluster, and so is a cluster unknown to the server', async () => {
  await refuseOtherTopology(clients, undefined)
  await assert.rejects(refuseOtherTopology(clients, 'ours'), /were made for one server/)
  const empty: Clients = {
    ...clients,
    read: (sql, parameters) =>
      clients.read(sql.replace("name = 'traces'", "name = 'no such table'"), parameters),
  }
  await refuseOtherTopology(empty, undefined)
  await assert.rejects(refuseOtherTopology(empty, 'ours'), /has no cluster "ours"/)
})
