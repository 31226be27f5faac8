import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { openTraceStore } from '../open.ts'
import { batchOf, testTrace, testTraceId } from '../testing/testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(folder, { recursive: true, force: true }))

it('a snapshot has the rows stored before it and none stored later, and recognizes its batches', async () => {
  const ids = Array.from({ length: 12 }, () => testTraceId())
  const batches = ids.map((traceId) => batchOf({ traces: [testTrace({ workspaceId: 'w', traceId })] }))
  const store = await openTraceStore({ folder: join(folder, 'first') })
  for (const batch of batches.slice(0, 10)) await store.insert(batch)
  const snapshot = store.snapshot(join(folder, 'snapshot'))
  // Enough for a merge, which would delete the parts in the snapshot.
  for (const batch of batches.slice(10)) await store.insert(batch)
  assert.equal(await snapshot, true)
  await store.close()

  const copy = await openTraceStore({ folder: join(folder, 'snapshot') })
  const list = async () => {
    const { traces } = await copy.scopedTo('w').list({}, { limit: 100 })
    return traces.map(({ traceId }) => traceId).sort()
  }
  assert.deepEqual(await list(), ids.slice(0, 10).sort())
  for (const batch of batches) await copy.insert(batch)
  assert.deepEqual(await list(), ids.toSorted())
  await copy.close()
})
