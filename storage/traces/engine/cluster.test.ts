/** No cluster runs here: what docs/trace-store.md says of the checks is made of these and of a run on ZooKeeper. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestClients } from '../testing/testing-clients.ts'
import type { Clients } from './clients.ts'
import { onCluster, refuseOtherTopology } from './cluster.ts'
import { createMigrations, readMigrations } from './migrate.ts'

let clients: Clients
before(async () => {
  clients = await openTestClients()
})
after(() => clients.close())

/** As the engine's own parser reads it. */
async function format(statement: string): Promise<string> {
  const [row] = await clients.read<{ text: string }>('SELECT formatQuery({statement:String}) AS text', {
    statement,
  })
  return row!.text
}

test('every statement of the migrations runs on all servers of a cluster, and makes only replicated tables', async () => {
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
    assert.equal(restored, before)
  }
})

test('tables of one server are refused on a cluster, and a cluster that the server does not know', async () => {
  await refuseOtherTopology(clients, undefined)
  await assert.rejects(refuseOtherTopology(clients, 'ours'), /were made for one server/)
  const empty: Clients = {
    ...clients,
    read: (sql, parameters) =>
      clients.read(sql.replace("name = 'traces'", "name = 'no such table'"), parameters),
  }
  await refuseOtherTopology(empty, undefined)
  await assert.rejects(refuseOtherTopology(empty, 'ours'), /knows no cluster "ours"/)
})
