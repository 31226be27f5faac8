/** A store that the version before wrote. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openTraceStore } from '../open.ts'
import { columnsOfTable } from '../rows/encode-rows.ts'
import { batchOf, testLog, testTrace } from '../testing/testing.ts'
import { type Clients, openClients } from './clients.ts'
import { migrate, readMigrations } from './migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-traces-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Inserts lines without the columns that were added later. */
async function insertIntoOld(clients: Clients, table: 'traces' | 'logs', lines: Buffer) {
  const rows = await clients.read<{ name: string }>(
    `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = '${table}'`,
    {},
  )
  const names = new Set(rows.map(({ name }) => name))
  const columns = columnsOfTable[table]
  const cells = lines.toString().slice(0, -1).split('\t')
  assert.ok(columns.some((column) => !names.has(column)))
  await clients.insert({
    table,
    columns: columns.filter((column) => names.has(column)),
    lines: Buffer.from(`${cells.filter((_, index) => names.has(columns[index]!)).join('\t')}\n`),
    token: randomUUID(),
  })
}

test('a store without environments, releases, tags and times to first tokens is read as it was, and sums stay', async () => {
  const workspaceId = randomUUID()
  const trace = testTrace({ workspaceId, sessionId: 's', cost: 0.5, logCount: 1, models: ['m'] })
  const logs = [testLog(trace, { type: 'generation', model: 'm', cost: 0.5, costInTotals: 0.5 })]
  const before = openClients({ folder })
  await migrate(before, { migrations: readMigrations().filter(({ name }) => name < '0008') })
  const batch = batchOf({ traces: [trace], logs })
  await insertIntoOld(before, 'logs', batch.logs)
  await insertIntoOld(before, 'traces', batch.traces)
  await before.close()

  const store = await openTraceStore({ folder })
  try {
    const traces = store.scopedTo(workspaceId)
    assert.deepEqual(await traces.find(trace.traceId), { trace, logs, scores: [] })
    const newer = testTrace({ workspaceId, environment: 'production', tags: ['a', 'b'], cost: 0.25 })
    await store.insert(batchOf({ traces: [newer] }))
    const measure = (dimensions: ('environment' | 'tag')[]) =>
      traces.measure({ measures: ['traces', 'cost'], dimensions, filters: {} })
    assert.deepEqual(await measure([]), [{ traces: 2, cost: 0.75 }])
    assert.deepEqual(await measure(['environment']), [
      { environment: 'production', traces: 1, cost: 0.25 },
      { environment: null, traces: 1, cost: 0.5 },
    ])
    assert.deepEqual(await measure(['tag']), [
      { tag: 'a', traces: 1, cost: 0.25 },
      { tag: 'b', traces: 1, cost: 0.25 },
      { tag: null, traces: 1, cost: 0.5 },
    ])
    const { traces: untagged } = await traces.list(
      { where: [{ field: 'tag', exists: false }] },
      { limit: 10 },
    )
    assert.deepEqual(
      untagged.map(({ traceId }) => traceId),
      [trace.traceId],
    )
  } finally {
    await store.close()
  }
})
