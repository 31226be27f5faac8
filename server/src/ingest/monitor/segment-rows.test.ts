import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { readRows } from '@plumbline/storage/traces/rows'
import { openDrain } from '../../../testing/open-drain.ts'
import { newId } from '../../id.ts'
import { type AcceptedTrace, encodeRecord } from './record.ts'
import { makeSegmentRows } from './segment-rows.ts'
import { WorkerDied } from './worker/recording-worker.ts'

const traceOf = (workspaceId: string): AcceptedTrace => ({
  type: 'trace',
  workspaceId,
  apiKeyId: 'key',
  receivedAtMs: Date.now(),
  traceId: randomUUID(),
  featureSlug: null,
  isSampled: false,
  sampleRate: null,
  warning: null,
  prompts: {},
})

const recordOf = (workspaceId: string, body: Buffer): Buffer[] => encodeRecord(traceOf(workspaceId), body)

/** Ends a thread once it reads the pipe: opening a pipe for writing waits until it is opened for reading. */
async function endOnceItReads(thread: Worker, pipe: string): Promise<void> {
  const writer = await open(pipe, 'w')
  const ended = thread.terminate()
  await writer.close()
  await ended
}

test('a worker that another task kills does not cause a record of the segment to be set aside', async (t) => {
  const { spool, worker, workspaceId } = await openDrain(t, { segmentBytesMax: 2 ** 24 })
  const small = Buffer.from(JSON.stringify({ input: 'hi', output: 'ho' }))
  const ids = Array.from({ length: 900 }, (_, index) => `record ${index}`)
  await Promise.all(ids.map((id) => spool.append(id, recordOf(workspaceId, small))))
  await spool.seal()
  const [segment] = spool.sealed()
  assert.ok(segment)
  const parts = { spool, worker, overrides: async () => ({}), liveRates: async () => ({}) }
  const rows = makeSegmentRows({ ...parts, makesWholeTraces: true })
  const conditions = { workspaceIds: [workspaceId], listsRecords: false }
  await rows.take(segment, conditions)

  // In a pause between two slices of the segment, the thread turns to another task and waits for the named file.
  const pipe = join(await mkdtemp(join(tmpdir(), 'plumbline-')), 'price-list')
  await promisify(execFile)('mkfifo', [pipe])
  t.after(() => rm(dirname(pipe), { recursive: true }))
  const read = Promise.withResolvers<unknown>()
  const post = Worker.prototype.postMessage
  let segments = 0
  t.mock.method(
    Worker.prototype,
    'postMessage',
    function (this: Worker, message: { task?: { type?: string } }) {
      post.call(this, message)
      if (message.task?.type === 'segment' && ++segments === 1) {
        worker.setPriceList(pipe)
        worker.rowsOfRecord(Buffer.concat(recordOf(workspaceId, small)), {}).then(read.resolve, read.reject)
        worker.setPriceList(undefined)
      }
      if (message.task?.type === 'record') void endOnceItReads(this, pipe)
    },
  )
  const [, { unreadable }] = await Promise.all([
    assert.rejects(read.promise, WorkerDied),
    rows.take(segment, conditions),
  ])
  assert.deepEqual(unreadable, [])
})

for (const { busyShare, threadsMax } of [
  { busyShare: 0.2, threadsMax: 2 },
  { busyShare: 0.9, threadsMax: 1 },
])
  test(`while a segment is stored, ${threadsMax} of two threads make the rows of the next at a load of ${busyShare}`, async (t) => {
    const { spool, worker, workspaceId } = await openDrain(t)
    const names = ['a', 'b', 'c', 'd']
    for (const name of names) {
      await spool.append(name, recordOf(workspaceId, Buffer.from(JSON.stringify({ name }))))
      await spool.seal()
    }
    const segments = spool.sealed()
    assert.equal(segments.length, names.length)
    const post = Worker.prototype.postMessage
    const threads: Worker[] = []
    t.mock.method(
      Worker.prototype,
      'postMessage',
      function (this: Worker, message: { task?: { type?: string } }) {
        if (message.task?.type === 'segment') threads.push(this)
        post.call(this, message)
      },
    )
    const parts = { spool, worker, overrides: async () => ({}), liveRates: async () => ({}) }
    const rows = makeSegmentRows({ ...parts, makesWholeTraces: true, busyShare: () => busyShare })
    const conditions = { workspaceIds: [workspaceId, 'other'], listsRecords: false }
    rows.announce(segments, { ...conditions, workspaceIds: ['other', workspaceId] })
    // Announced again while the first is stored: the rows of the second are not made twice.
    const [first, ...later] = segments
    assert.ok(first)
    const rowSets = [await rows.take(first, conditions)]
    rows.announce(later, conditions)
    for (const segment of later) rowSets.push(await rows.take(segment, conditions))
    const namesIn = ({ traces }: (typeof rowSets)[number]): (string | undefined)[] =>
      readRows(Buffer.from(traces)).map((row) => (row as { name?: string }).name)
    assert.deepEqual(rowSets.flatMap(namesIn), names)
    assert.deepEqual([threads.length, new Set(threads).size], [names.length, threadsMax])
  })

test('a record with an unreadable header is set aside, and holds up no other record', async (t) => {
  const { drain, spool, store, refusedRecords, workspaceId } = await openDrain(t)
  const header = Buffer.alloc(4)
  header.writeUInt32LE(4)
  await spool.append('unreadable', [header, Buffer.from('none')])
  const traceId = newId(new Date())
  const record = encodeRecord({ ...traceOf(workspaceId), traceId }, Buffer.from('{"name":"after it"}'))
  await spool.append(traceId, record)
  await drain.flush()
  assert.deepEqual([spool.sealed().length, await refusedRecords.countBatches()], [0, 1])
  assert.equal((await store.scopedTo(workspaceId).find(traceId))?.trace.name, 'after it')
  assert.equal(await refusedRecords.remove(({ content }) => content === 'BAAAAG5vbmU='), 1)
})
