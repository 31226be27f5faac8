/** While nodes are replaced one after the other, an older one may drain what a newer one has acknowledged. */
// A process of its own: it marks the trace store as a newer one, which drains of other tests would refuse.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openControlStore } from '@plumbline/storage/control'
import { engines } from '@plumbline/storage/control/testing'
import { openFileSpool } from '@plumbline/storage/spool'
import { openTraceStore } from '@plumbline/storage/traces'
import { markAsNewer } from '@plumbline/storage/traces/testing'
import { pino } from 'pino'
import { makeShardOutages } from '../../process/shard-outages.ts'
import { makeLedger } from '../ledger/ledger.ts'
import { makeDrain } from './drain.ts'
import { type Accepted, encodeRecord } from './record.ts'
import { makeRefusedRecords } from './refused-records.ts'
import { RecordingWorker } from './worker/recording-worker.ts'

test('a record that only a newer version knows stays in the spool while the store is that of a newer version', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const traceFolder = join(folder, 'traces')
  const store = await openTraceStore({ folder: traceFolder })
  const place = await engines.find(({ name }) => name === 'SQLite')!.emptyPlace()
  const control = await openControlStore(place.location)
  const { id: workspaceId } = await control.createWorkspace({ name: 'Test' })
  const logger = pino({ level: 'silent' })
  const spool = await openFileSpool({
    folder: join(folder, 'spool'),
    bytesMax: 2 ** 26,
    recordsMax: 100,
    segmentBytesMax: 2 ** 20,
    onDamage: () => {},
  })
  const refusedRecords = makeRefusedRecords(join(folder, 'refused'))
  const worker = new RecordingWorker()
  const ledger = makeLedger(
    (id) => control.scopedTo({ workspaceId: id }).ledger,
    () => new Date(),
    () => '',
  )
  const drain = makeDrain({
    ...{ spool, store, worker, ledger, refusedRecords, logger },
    outages: makeShardOutages(store, logger),
    wholeTraces: undefined,
    onLost: () => {},
    overrides: async () => ({}),
    liveRates: async () => ({}),
    workspacesInUse: async () => [workspaceId],
    onScored: () => {},
    onRemoved: () => {},
    onSpans: async () => {},
    onSampled: async () => {},
  })
  t.after(async () => {
    await drain.stop()
    await worker.close()
    await spool.close()
    await store.close()
    await control.close()
    await place.remove()
    rmSync(folder, { recursive: true, force: true })
  })
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
  } as unknown as Accepted
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
