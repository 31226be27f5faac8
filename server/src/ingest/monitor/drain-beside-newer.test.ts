/** During a rolling update, an older node may drain records that a newer node has acknowledged. */
// A process of its own: it marks the trace store as newer, which would stop the drains of other tests.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { markAsNewer } from '@plumbline/storage/traces/testing'
import { openDrain } from '../../../testing/open-drain.ts'
import { type AcceptedRecord, encodeRecord } from './record.ts'

test('a record that only a newer version knows stays in the spool while the store belongs to a newer version', async (t) => {
  const { drain, spool, traceFolder, refusedRecords, workspaceId } = await openDrain(t)
  const unmark = await markAsNewer(traceFolder)
  // Its body could be mistaken for a log.
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

  // A record that no node can read is set aside if there is no newer version to take it.
  await unmark()
  await drain.flush()
  assert.deepEqual([spool.sealed().length, await refusedRecords.countBatches()], [0, 1])
})
