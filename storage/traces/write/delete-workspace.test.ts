import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { after, test } from 'node:test'
import { openClients } from '../engine/clients.ts'
import { migrate } from '../engine/migrate.ts'
import { encodeSpans } from '../rows.ts'
import { batchOf, makeTraceFolder, testLog, testScore, testTrace } from '../testing/testing.ts'
import { deleteWorkspace, workspaceTables } from './delete-workspace.ts'
import { insertBatch } from './insert.ts'

const folder = await makeTraceFolder()
const clients = openClients({ folder })
after(async () => {
  await clients.close()
  rmSync(folder, { recursive: true, force: true })
})

async function record(workspaceId: string): Promise<void> {
  const trace = testTrace({ workspaceId })
  const span = {
    workspaceId,
    otelTraceId: randomUUID().replaceAll('-', ''),
    spanId: '1'.repeat(16),
    addition: '',
    receivedAtMs: Date.UTC(2027, 0, 1, 10),
    isEnded: true,
    apiKeyId: 'key',
    resolved: '',
    span: '{}',
  }
  const spans = encodeSpans([span])
  const rows = { traces: [trace], logs: [testLog(trace)], scores: [testScore(trace)] }
  const { rejectedRows } = await insertBatch(clients, { ...batchOf(rows), spans })
  assert.deepEqual(rejectedRows, [])
}

const countsOf = (workspaceId: string) =>
  Promise.all(
    workspaceTables.map(async (table) => {
      const [row] = await clients.search<{ rows: number }>(
        `SELECT toUInt32(count()) AS rows FROM ${table} WHERE workspace_id = {workspace:String}`,
        { workspace: workspaceId },
      )
      return Number(row?.rows)
    }),
  )

test('every table loses the rows of the workspace, and no others', async () => {
  await migrate(clients, { isOurs: true })
  const tables = await clients.search<{ table: string }>(
    `SELECT DISTINCT table FROM system.columns c JOIN system.tables t ON t.database = c.database AND t.name = c.table
     WHERE c.database = currentDatabase() AND c.name = 'workspace_id' AND t.engine LIKE '%MergeTree'`,
    {},
  )
  assert.deepEqual(tables.map(({ table }) => table).toSorted(), [...workspaceTables].toSorted())
  const [deletedItem, other] = [randomUUID(), randomUUID()]
  for (const id of [deletedItem, other]) await record(id)
  const before = await countsOf(other)
  assert.ok(before.every((rows) => rows > 0))
  for (let again = 0; again < 2; again++) await deleteWorkspace(clients, deletedItem)
  assert.deepEqual(
    await countsOf(deletedItem),
    workspaceTables.map(() => 0),
  )
  assert.deepEqual(await countsOf(other), before)
})
