/** The text index of a part is built by its first merge. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Clients } from '../engine/clients.ts'
import { listTraces } from '../read/list.ts'
import { batchOf, testLog, testTrace } from '../testing/testing.ts'
import { openTestClients } from '../testing/testing-clients.ts'
import { insertBatch } from './insert.ts'

let clients: Clients
before(async () => {
  clients = await openTestClients()
  await clients.command('SYSTEM STOP MERGES')
})
after(() => clients.close())

const workspaceId = randomUUID()

/** Stores two traces in new parts: one with the word in its input, one with the word in a log. */
async function record(word: string): Promise<{ inTrace: string; inLog: string }> {
  const first = testTrace({ workspaceId, input: JSON.stringify(`The ${word} of Paris, by "night"`) })
  const second = testTrace({ workspaceId, logCount: 1 })
  const log = testLog(second, { output: JSON.stringify([`so said ${word}: 今天天气很好`]) })
  await insertBatch(clients, batchOf({ traces: [first, second], logs: [log] }))
  return { inTrace: first.traceId, inLog: second.traceId }
}

async function search(q: string): Promise<string[]> {
  const { traces } = await listTraces(clients, workspaceId, { q }, { limit: 100 })
  return traces.map(({ traceId }) => traceId).sort()
}

/** Whether each part of a table has the index. */
async function areIndexed(table: string): Promise<boolean[]> {
  const parts = await clients.read<{ path: string }>(
    `SELECT path FROM system.parts WHERE active AND database = currentDatabase() AND table = {table:String}
     ORDER BY min_block_number`,
    { table },
  )
  return parts.map(({ path }) => readdirSync(path).some((file) => file.startsWith('skp_idx_word_index')))
}

async function mergeAll(): Promise<void> {
  await clients.command('SYSTEM START MERGES')
  for (const table of ['traces', 'logs']) await clients.command(`OPTIMIZE TABLE ${table} FINAL`)
  await clients.command('SYSTEM STOP MERGES')
}

test('searches find the same traces in parts without the index, in parts with it, and in a mix of both', async () => {
  const moon = await record('Moonlight')
  const sun = await record('Sunshine')
  const findAll = async (): Promise<void> => {
    const expected: [string, string[]][] = [
      ['moonlight', [moon.inTrace, moon.inLog]],
      ['SUNSHINE', [sun.inTrace, sun.inLog]],
      ['"sunshine of paris"', [sun.inTrace]],
      ['"paris sunshine"', []],
      ['said moonlight', [moon.inLog]],
      ['"moonlight 今天天气"', [moon.inLog]],
      // Part of a text without spaces.
      ['天气', [moon.inLog, sun.inLog]],
      ['气天', []],
      ['moonligh', []],
      ['night', [moon.inTrace, sun.inTrace]],
    ]
    for (const [q, ids] of expected) assert.deepEqual(await search(q), ids.toSorted(), q)
  }
  for (const table of ['traces', 'logs']) assert.deepEqual(await areIndexed(table), [false, false])
  await findAll()
  await mergeAll()
  for (const table of ['traces', 'logs']) assert.deepEqual(await areIndexed(table), [true])
  await findAll()
  const late = await record('Rain')
  for (const table of ['traces', 'logs']) assert.deepEqual(await areIndexed(table), [true, false])
  assert.deepEqual(await search('rain'), [late.inTrace, late.inLog].sort())
  assert.deepEqual(await search('night'), [moon.inTrace, sun.inTrace, late.inTrace].sort())
  assert.deepEqual(await search('天气'), [moon.inLog, sun.inLog, late.inLog].sort())
})
