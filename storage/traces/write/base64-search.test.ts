/** Operator review: random base64 took 1.78 bytes on disk for each byte received, most of it for the word index. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openClients } from '../engine/clients.ts'
import { migrate, readMigrations } from '../engine/migrate.ts'
import { listTraces } from '../read/list.ts'
import { batchOf, testTrace } from '../testing/testing.ts'
import { insertBatch } from './insert.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-traces-'))
const clients = openClients({ folder })
after(async () => {
  await clients.close()
  rmSync(folder, { recursive: true, force: true })
})
const workspaceId = randomUUID()
const longWord = 'w'.repeat(120)

/** Stores a message with an image between words. */
async function record(): Promise<{ traceId: string; image: string }> {
  const image = randomBytes(300_000).toString('base64')
  const content = [
    { type: 'text', text: `before the Moonlight ${longWord}` },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } },
    { type: 'image', source: { media_type: 'image/png', data: image } },
    { type: 'text', text: 'and sunshine after it' },
  ]
  const trace = testTrace({ workspaceId, input: JSON.stringify([{ role: 'user', content }]) })
  await insertBatch(clients, batchOf({ traces: [trace] }))
  return { traceId: trace.traceId, image }
}

async function search(q: string): Promise<string[]> {
  const { traces } = await listTraces(clients, workspaceId, { q }, { limit: 10 })
  return traces.map(({ traceId }) => traceId).toSorted()
}

async function indexBytes(): Promise<number> {
  const [row] = await clients.read<{ bytes: string }>(
    `SELECT toString(sum(secondary_indices_compressed_bytes)) AS bytes FROM system.parts
     WHERE database = currentDatabase() AND active AND table = 'traces'`,
    {},
  )
  return Number(row?.bytes)
}

test('search finds the words around images, even in older stores, and does not index the images', async () => {
  await migrate(clients, { migrations: readMigrations().filter(({ name }) => name < '0018') })
  const older = await record()
  await clients.maintain('OPTIMIZE TABLE traces FINAL')
  const bytesBefore = await indexBytes()
  assert.ok(bytesBefore > 300_000)

  await migrate(clients)
  const newer = await record()
  const both = [older.traceId, newer.traceId].toSorted()
  const findAll = async (): Promise<void> => {
    for (const query of ['moonlight', '"before the moonlight"', 'sunshine moonlight', 'after*', longWord])
      assert.deepEqual(await search(query), both, query.slice(0, 40))
  }
  await findAll()
  await clients.maintain('OPTIMIZE TABLE traces FINAL')
  await findAll()
  // Rows that were indexed before stay indexed until they are deleted.
  const added = (await indexBytes()) - bytesBefore
  assert.ok(added < 20_000, `${added} bytes`)
  assert.deepEqual(await search(newer.image.slice(200, 260).replace(/[+/]/g, ' ')), [])
})
