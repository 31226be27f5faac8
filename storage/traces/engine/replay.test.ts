/** A batch that the next process repeats, as after a kill between storing it and removing it from the spool. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { mountSmallDisk } from '../../../server/testing/small-disk.ts'
import { openTraceStore } from '../open.ts'
import { batchOf, testLog, testTrace } from '../testing/testing.ts'
import { openClients } from './clients.ts'

test('counts once in the tables and in the hourly sums, even the first batch of a new store', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-traces-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const trace = testTrace({ workspaceId: 'w' })
  const logs = [testLog(trace, {})]
  const countsOf = async (token: string): Promise<unknown> => {
    const store = await openTraceStore({ folder })
    const clients = openClients({ folder })
    await store.insert(batchOf({ traces: [trace], logs }, token))
    const [row] = await clients.read<Record<string, string>>(
      `SELECT toString((SELECT count() FROM traces)) AS traces, toString((SELECT sum(traces) FROM traces_hourly)) AS traceSum,
              toString((SELECT count() FROM logs)) AS logs, toString((SELECT sum(logs) FROM logs_hourly)) AS logSum`,
      {},
    )
    await clients.close()
    await store.close()
    return row
  }
  const counts = { traces: '1', traceSum: '1', logs: '1', logSum: '1' }
  for (let opening = 0; opening < 3; opening++) assert.deepEqual(await countsOf('first'), counts)
})

test('when the disk is nearly full, stores nothing of a batch rather than part of it', async (context) => {
  const disk = mountSmallDisk(96 * 1024 ** 2)
  if (disk === undefined) return context.diagnostic('NOT RUN: nothing may be mounted here')
  const folder = join(disk.folder, 'traces')
  const store = await openTraceStore({ folder })
  const clients = openClients({ folder })
  context.after(async () => {
    await clients.close()
    await store.close()
    disk.remove()
  })
  const trace = testTrace({ workspaceId: 'w' })
  const batch = batchOf({ traces: [trace], logs: [testLog(trace, {})] }, 'late')
  const countsOf = () =>
    clients.read<Record<string, string>>(
      `SELECT toString((SELECT count() FROM traces)) AS traces, toString((SELECT count() FROM logs)) AS logs,
              toString((SELECT sum(traces) FROM traces_hourly)) AS sum`,
      {},
    )
  disk.fill(4 * 1024 ** 2)
  await assert.rejects(store.insert(batch), { name: 'TraceStoreUnavailable', reason: 'no space' })
  assert.deepEqual(await countsOf(), [{ traces: '0', logs: '0', sum: '0' }])
  disk.empty()
  await store.insert(batch)
  assert.deepEqual(await countsOf(), [{ traces: '1', logs: '1', sum: '1' }])
})
