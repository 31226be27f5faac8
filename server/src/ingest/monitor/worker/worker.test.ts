import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { openDrain } from '../../../../testing/open-drain.ts'
import { WorkerEnded } from '../../../process/threads/worker-pool.ts'
import { type AcceptedTrace, encodeRecord } from '../record.ts'
import type { PricedTask } from './worker-messages.ts'

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

/** A record whose tokens have to be counted. */
const body = Buffer.from(JSON.stringify({ logs: [{ id: 'a', type: 'generation', input: 'Why?' }] }))

/** A thread that can read no vocabulary. */
const withoutFiles = `data:text/javascript,${encodeURIComponent(`
  import Module from 'node:module'
  const load = Module._load
  Module._load = (name, ...others) => {
    if (!name.startsWith('gpt-tokenizer')) return load(name, ...others)
    throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE', syscall: 'open' })
  }`)}`

test('a record is not to blame if the process is out of file descriptors: the segment is retried', async (t) => {
  const { spool, workspaceId } = await openDrain(t)
  await spool.append('a', encodeRecord(traceOf(workspaceId), body))
  await spool.seal()
  const [segment] = spool.sealed()
  const task: PricedTask = {
    ...{ type: 'segment', source: await spool.source(segment!), workspaceIds: [workspaceId], skip: [] },
    ...{ overrides: {}, liveRates: {}, makesWholeTraces: true, listsRecords: false, priceList: undefined },
  }
  const progress = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: progress.buffer,
    execArgv: ['--import', withoutFiles],
  })
  t.after(() => thread.terminate())
  thread.postMessage({ id: 1, task, reportsStart: false })
  const [{ type, message }] = (await once(thread, 'message')) as [{ type: string; message: string }]
  assert.deepEqual([type, message, progress[0]], ['failed', 'EMFILE: too many open files', -1])
})

test('nor is a task to blame if no thread can start', async (t) => {
  const { worker, workspaceId } = await openDrain(t)
  t.mock.method(Worker.prototype, 'postMessage', function (this: Worker) {
    this.emit('error', Object.assign(new Error('EMFILE'), { code: 'ERR_WORKER_INIT_FAILED' }))
    void this.terminate()
  })
  const record = Buffer.concat(encodeRecord(traceOf(workspaceId), body))
  await assert.rejects(worker.rowsOfRecord(record, {}), WorkerEnded)
})
