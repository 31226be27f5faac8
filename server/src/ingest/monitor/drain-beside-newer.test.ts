/** While nodes are replaced one after the other, an older one may drain what a newer one has acknowledged. */
// A process of its own: it marks the trace store as a newer one, which drains of other tests would refuse.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { markAsNewer } from '@plumbline/storage/traces/testing'
import { openDrain } from '../../../testing/open-drain.ts'
import { type AcceptedRecord, encodeRecord } from './record.ts'

test('a record that only a newer version knows stays in the spool while the store is that of a newer version', async (t) => {
  const { drain, spool, traceFolder, refusedRecords, workspaceId } = await openDrain(t)
  const unmark = await markAsNewer(traceFolder)
  // Its body could be taken for a log.
  const record = {
    ...{ type: 'newer', workspaceId, apiKeyId: '', receivedAtMs: Date.now(), traceId: randomUUID() },
    ...{
      logId: randomUUID(),
      featureSlug: null,
      isSampled: true,
      sampleRate: null,
      warning: null,
      prompt: null,
    },
  } as unknown as AcceptedRecord
  await spool.append(randomUUID(), encodeRecord(record, Buffer.from('{"type":"span","input":"x"}')))
  for (let attempt = 0; attempt < 2; attempt++) {
    await assert.rejects(drain.flush(), { name: 'TraceStoreNewer' })
    assert.deepEqual([spool.sealed().length, await refusedRecords.countBatches()], [1, 0])
  }

  // A record that nobody can read is put aside, where no newer version is there to take it.
  await unmark()
  await drain.flush()
  assert.deepEqual([spool.sealed().length, await refusedRecords.countBatches()], [0, 1])
})
