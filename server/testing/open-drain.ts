/** A drain with a spool, a trace store and a control plane of its own, without the rest of the service. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openControlStore } from '@plumbline/storage/control'
import { engines } from '@plumbline/storage/control/testing'
import { type FileSpool, openFileSpool } from '@plumbline/storage/spool'
import { openTraceStore, type TraceStore } from '@plumbline/storage/traces'
import { pino } from 'pino'
import { makeLedger } from '../src/ingest/ledger/ledger.ts'
import { type Drain, makeDrain } from '../src/ingest/monitor/drain.ts'
import { makeRefusedRecords, type RefusedRecords } from '../src/ingest/monitor/refused-records.ts'
import { RecordingWorker } from '../src/ingest/monitor/worker/recording-worker.ts'
import type { Overrides } from '../src/ingest/monitor/worker/worker-messages.ts'
import { makeShardOutages } from '../src/process/shard-outages.ts'

export interface OpenDrain {
  readonly drain: Drain
  readonly spool: FileSpool
  readonly store: TraceStore
  readonly traceFolder: string
  readonly refusedRecords: RefusedRecords
  readonly worker: RecordingWorker
  /** The only workspace. */
  readonly workspaceId: string
}

/** Stops at the end of the test. `seenBy` wraps the store for the drain, which reads overrides before it makes rows. */
export async function openDrain(
  test: TestContext,
  {
    segmentBytesMax = 2 ** 20,
    seenBy = (store: TraceStore): TraceStore => store,
    overrides = async (): Promise<Overrides> => ({}),
  } = {},
): Promise<OpenDrain> {
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
    recordsMax: 1000,
    segmentBytesMax,
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
    ...{ spool, store: seenBy(store), worker, ledger, refusedRecords, overrides, logger },
    outages: makeShardOutages(store, logger),
    wholeTraces: undefined,
    onLost: () => {},
    liveRates: async () => ({}),
    workspacesInUse: async () => [workspaceId],
    onScored: () => {},
    onRemoved: () => {},
    onSpans: async () => {},
    onSampled: async () => {},
  })
  test.after(async () => {
    await drain.stop()
    await worker.close()
    await spool.close()
    await store.close()
    await control.close()
    await place.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  return { drain, spool, store, traceFolder, refusedRecords, worker, workspaceId }
}
