import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../../fixtures/eventually.ts'
import { openTestClients } from '../testing/testing-clients.ts'
import type { Clients } from './clients.ts'
import { deferMerges, endDeferredMerges, limitPartsPerMerge } from './merge-parts.ts'

let clients: Clients
before(async () => {
  clients = await openTestClients()
})
after(() => clients.close())

const tableSettings = () =>
  clients.read<{ name: string; settings: string }>(
    `SELECT name, engine_full AS settings FROM system.tables
     WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name`,
    {},
  )

test('a store gets the limit of its machine, and keeps its own settings if there is enough memory', async () => {
  const before = await tableSettings()
  assert.ok(before.some(({ name }) => name === 'logs'))
  for (const limit of [8, 20]) {
    await limitPartsPerMerge(clients, limit)
    for (const { name, settings: each } of await tableSettings())
      assert.match(each, new RegExp(`max_parts_to_merge_at_once = ${limit}\\b`), name)
  }
  await limitPartsPerMerge(clients, undefined)
  assert.deepEqual(await tableSettings(), before)
})

test('a store that already has its limit is not changed', async () => {
  const commands: string[] = []
  const listening = { ...clients, command: async (sql: string) => void commands.push(sql) }
  await limitPartsPerMerge(listening, undefined)
  await limitPartsPerMerge(clients, 8)
  await limitPartsPerMerge(listening, 8)
  assert.deepEqual(commands, [])
  await limitPartsPerMerge(listening, undefined)
  assert.equal(commands.length, (await tableSettings()).length)
})

test('merges are deferred in the large tables only, until deferral ends or the store is reopened', async () => {
  const before = await tableSettings()
  const namesOfChanged = async (): Promise<string[]> => {
    const settings = new Map(before.map(({ name, settings: each }) => [name, each]))
    return (await tableSettings())
      .filter(({ name, settings: each }) => each !== settings.get(name))
      .map(({ name }) => name)
  }
  for (const end of [() => deferMerges(clients, false), () => endDeferredMerges(clients)]) {
    await deferMerges(clients, true)
    assert.deepEqual(await namesOfChanged(), ['logs', 'traces'])
    await end()
    assert.deepEqual(await namesOfChanged(), [])
    // Ending it twice does no harm.
    await end()
  }
})

test('while merges are deferred, parts are merged only once there are many', async () => {
  const row = async (): Promise<void> =>
    clients.command(
      "INSERT INTO traces (workspace_id, trace_id, received_at) SELECT 'w', generateUUIDv4(), now64(3)",
    )
  const countParts = async (): Promise<number> => {
    const [{ parts } = { parts: '' }] = await clients.read<{ parts: string }>(
      `SELECT toString(count()) AS parts FROM system.parts
       WHERE active AND database = currentDatabase() AND table = 'traces'`,
      {},
    )
    return Number(parts)
  }
  await deferMerges(clients, true)
  for (let count = 0; count < 31; count++) await row()
  assert.equal(await countParts(), 31)
  await deferMerges(clients, false)
  await eventually(async () => assert.ok((await countParts()) < 31))
})
