import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AssemblyStore, ControlStoreAway } from '@plumbline/storage/control'
import { pino } from 'pino'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { RecordingWorker } from '../../monitor/worker/recording-worker.ts'
import { makeAssembler } from './assembler.ts'

const idleStore: Partial<AssemblyStore> = {
  completed: async () => ({ endRevision: 1, isOneUnfinished: false }) as never,
  lateForDeleted: async () => [],
  nextDueMs: async () => undefined,
  hurry: async () => undefined as never,
  claimLease: async () => 1,
  paused: async () => new Set<string>(),
}
const outages = { runAround: (work: () => unknown) => work(), isAway: () => false }
const idleParts = {
  store: { noteReplacements() {} },
  outages: { ...outages, shards: new Set<number>() },
  workspacesInUse: async () => [],
  runExclusive: (work: () => unknown) => work(),
  node: 'node',
  isShared: false,
  onAssembled() {},
  logger: pino({ level: 'silent' }),
  now: () => new Date(),
}

/** An assembler without due traces; `ask` is called on each query for due traces. */
function makeIdleAssembler(ask: () => void, awayShards: readonly number[] = []) {
  const due = async () => {
    ask()
    return []
  }
  return makeAssembler({
    ...idleParts,
    assemblyStore: { ...idleStore, due },
    outages: { ...outages, shards: new Set(awayShards) },
  } as never)
}

test('a flush that fails while a store is away is retried, like a tick that fails', async (t) => {
  let looks = 0
  let isAway = true
  const assembler = makeIdleAssembler(() => {
    looks += 1
    if (isAway) throw new ControlStoreAway()
  })
  t.after(() => assembler.stop())
  await assert.rejects(assembler.flush(), ControlStoreAway)
  isAway = false
  const before = looks
  await eventually(async () => assert.ok(looks > before))
})

test('after a flush, polling for traces of a shard that is away continues', async (t) => {
  let looks = 0
  const assembler = makeIdleAssembler(() => {
    looks += 1
  }, [1])
  t.after(() => assembler.stop())
  await assembler.flush()
  const before = looks
  await eventually(async () => assert.ok(looks > before + 1))
})

test('a flush that was called before the stop does not keep the assembler running', async () => {
  let looks = 0
  const assembler = makeIdleAssembler(() => {
    looks += 1
  })
  await Promise.all([assembler.flush(), assembler.stop()])
  const before = looks
  assembler.wake()
  await new Promise(setImmediate)
  assert.equal(looks, before)
})

test('traces stay due if no thread can make their rows because the service is stopping', async () => {
  const worker = new RecordingWorker()
  await worker.close()
  const assembly = {
    workspaceId: 'w',
    otelTraceId: 't',
    firstAtMs: 1,
    lastAtMs: 1,
    spans: 1,
    traces: [],
    digest: '',
  }
  let looks = 0
  let finished = 0
  const assembler = makeAssembler({
    ...idleParts,
    assemblyStore: {
      ...idleStore,
      due: async () => (looks++ === 0 ? [assembly] : []),
      unfinished: async () => [],
      async finish() {
        finished += 1
      },
    },
    store: { noteReplacements() {}, shardOf: () => 1, readSpans: async () => '' },
    worker,
    findExperimentIds: async () => new Map(),
    overrides: async () => ({}),
    liveRates: async () => ({}),
  } as never)
  await assert.rejects(assembler.flush(), /stopping/)
  await assembler.stop()
  assert.equal(finished, 0)
})
