import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestClients } from '../testing/testing-clients.ts'
import type { Clients } from './clients.ts'
import { limitPartsPerMerge } from './merge-parts.ts'

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

test('a store has the limit of the machine that it is on, and its own settings on one with memory', async () => {
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

test('nothing is changed where a store has its limit', async () => {
  const commands: string[] = []
  const listening = { ...clients, command: async (sql: string) => void commands.push(sql) }
  await limitPartsPerMerge(listening, undefined)
  await limitPartsPerMerge(clients, 8)
  await limitPartsPerMerge(listening, 8)
  assert.deepEqual(commands, [])
  await limitPartsPerMerge(listening, undefined)
  assert.equal(commands.length, (await tableSettings()).length)
})
