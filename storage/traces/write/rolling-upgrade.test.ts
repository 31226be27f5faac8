/** During a rolling upgrade, an older node keeps running on tables that a newer one has migrated. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { type Clients, openClients } from '../engine/clients.ts'
import { migrate } from '../engine/migrate.ts'
import { batchOf, testLog, testTrace, tracesWithNameAsErrors } from '../testing/testing.ts'
import { insertBatch } from './insert.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-traces-'))
const clients = openClients({ folder })
await migrate(clients)
after(async () => {
  await clients.close()
  rmSync(folder, { recursive: true, force: true })
})
const newer = '9999_newer.sql'
afterEach(() => clients.command(`DELETE FROM migrations WHERE name = '${newer}'`))

/** Migrates as a newer version would at startup. */
async function migrateFurther(...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await clients.maintain(statement)
  await clients.command(
    `INSERT INTO migrations (name, checksum, applied_at) VALUES ('${newer}', 'x', now64(3))`,
  )
}

function newBatch() {
  const trace = testTrace({ workspaceId: randomUUID(), logCount: 1 })
  return { trace, batch: batchOf({ traces: [trace], logs: [testLog(trace, { type: 'span' })] }) }
}

const countOf = async (reader: Clients, table: 'traces' | 'logs', traceId: string): Promise<number> => {
  const [row] = await reader.read<{ count: number }>(
    `SELECT toUInt32(count()) AS count FROM ${table} WHERE trace_id = {traceId:UUID}`,
    { traceId },
  )
  return row?.count ?? 0
}

test('an older node continues to store rows after columns were added', async () => {
  await migrateFurther(`ALTER TABLE logs ADD COLUMN newer String DEFAULT 'nothing'`)
  const { trace, batch } = newBatch()
  assert.deepEqual(await insertBatch(clients, batch), { rejectedRows: [] })
  assert.equal(await countOf(clients, 'logs', trace.traceId), 1)
  await clients.maintain('ALTER TABLE logs DROP COLUMN newer')
})

for (const [title, change, undo] of [
  [
    'a column that it writes is gone',
    'ALTER TABLE traces DROP COLUMN sample_rate',
    `ALTER TABLE traces ADD COLUMN sample_rate Nullable(Float64) AFTER sampled`,
  ],
  [
    'a column has another type, so that its rows do not fit',
    'ALTER TABLE traces DROP COLUMN warning, ADD COLUMN warning Array(UInt8)',
    'ALTER TABLE traces DROP COLUMN warning, ADD COLUMN warning String',
  ],
] as const)
  test(`an older node sets no row aside if ${title}, and the newer one stores the batch once`, async () => {
    await migrateFurther(change)
    const { trace, batch } = newBatch()
    for (let attempt = 0; attempt < 2; attempt++)
      await assert.rejects(insertBatch(clients, batch), {
        name: 'TraceStoreNewer',
        message: /migrated by a newer version of Plumbline \(9999_newer\.sql\)/,
      })
    // The newer version takes over the segment, whose id is the token. The test undoes the migration to play its part.
    await clients.maintain(undo)
    assert.deepEqual(await insertBatch(clients, batch), { rejectedRows: [] })
    for (const table of ['traces', 'logs'] as const)
      assert.equal(await countOf(clients, table, trace.traceId), 1)
  })

test('a row that does not fit its columns is still set aside if no newer version has migrated the tables', async () => {
  const { trace, batch } = newBatch()
  const { rejectedRows } = await insertBatch(clients, { ...batch, traces: tracesWithNameAsErrors([trace]) })
  assert.equal(rejectedRows.length, 1)
})
