/** A store written by the previous version. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openTraceStore } from '../open.ts'
import { type Column, encodeRows } from '../rows/row-block.ts'
import { assembledRows, logColumns, traceColumns } from '../rows/table-columns.ts'
import { batchOf, testLog, testTrace } from '../testing/testing.ts'
import { type Clients, openClients } from './clients.ts'
import { migrate, readMigrations } from './migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-traces-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Inserts rows without the columns that were added later. */
async function insertIntoOld<Row>(
  clients: Clients,
  table: 'traces' | 'logs',
  { columns: all, rows }: { columns: readonly Column<Row>[]; rows: readonly Row[] },
) {
  const existing = await clients.read<{ name: string }>(
    `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = '${table}'`,
    {},
  )
  const names = new Set(existing.map(({ name }) => name))
  const columns = all.filter(({ name }) => names.has(name))
  assert.ok(columns.length < all.length)
  await clients.insert({
    table,
    columns: columns.map(({ name }) => name),
    block: encodeRows(columns, rows),
    token: randomUUID(),
  })
}

test('a store without environments, releases, tags and times to first token still reads the same, and sums are unchanged', async () => {
  const workspaceId = randomUUID()
  const trace = testTrace({ workspaceId, sessionId: 's', cost: 0.5, logCount: 1, models: ['m'] })
  const logs = [testLog(trace, { type: 'generation', model: 'm', cost: 0.5, costInTotals: 0.5 })]
  const before = openClients({ folder })
  await migrate(before, { migrations: readMigrations().filter(({ name }) => name < '0008') })
  await insertIntoOld(before, 'logs', { columns: logColumns, rows: assembledRows(logs) })
  await insertIntoOld(before, 'traces', { columns: traceColumns, rows: assembledRows([trace]) })
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
