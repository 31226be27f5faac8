import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { eventually } from '../../../../fixtures/eventually.ts'
import type { ThreadTask } from '../../../testing/task-thread.ts'
import { PoolClosed, TaskTimedOut, WorkerEnded, WorkerPool, type WorkerPoolOptions } from './worker-pool.ts'

const file = new URL('../../../testing/task-thread.ts', import.meta.url)
const pools: WorkerPool<ThreadTask, number>[] = []
after(() => Promise.all(pools.map((pool) => pool.close())))

function makePool(options: Partial<WorkerPoolOptions<ThreadTask>> = {}): WorkerPool<ThreadTask, number> {
  const pool = new WorkerPool<ThreadTask, number>(file, { idleTimeoutMs: 60_000, ...options })
  pools.push(pool)
  return pool
}

/** A task that ends when it is opened. */
function makeWait() {
  const gate = new SharedArrayBuffer(4)
  const open = (): void => {
    Atomics.store(new Int32Array(gate), 0, 1)
    Atomics.notify(new Int32Array(gate), 0)
  }
  return { task: { type: 'wait', gate } as const, open }
}

describe('a pool of worker threads', () => {
  it('runs tasks on at most its maximum of threads, and reuses them', async () => {
    const pool = makePool({ threadsMax: 2 })
    const waits = [makeWait(), makeWait()]
    const running = waits.map(({ task }) => pool.run(task))
    const third = pool.run({ type: 'thread' })
    for (const { open } of waits) open()
    const threads = new Set(await Promise.all(running))
    assert.equal(threads.size, 2)
    assert.ok(threads.has(await third))
  })

  it('rejects a task that throws with its message, and keeps the thread', async () => {
    const pool = makePool()
    const thread = await pool.run({ type: 'thread' })
    await assert.rejects(pool.run({ type: 'fail', message: 'No such row.' }), /^Error: No such row\./)
    assert.equal(await pool.run({ type: 'thread' }), thread)
  })

  it('rejects the tasks of a thread that ended, reports its progress, and starts another thread for waiting tasks', async () => {
    const pool = makePool()
    const thread = await pool.run({ type: 'thread' })
    const ended = assert.rejects(pool.run({ type: 'exit', progress: 7 }), (error) => {
      assert.ok(error instanceof WorkerEnded)
      assert.equal(error.progress, 7)
      assert.match(String(error.cause), /exited with 3/)
      return true
    })
    const next = pool.run({ type: 'thread' })
    await ended
    assert.notEqual(await next, thread)
  })

  it('gives a thread several tasks at once if allowed, and all end with it', async () => {
    const pool = makePool({ tasksPerThread: Number.POSITIVE_INFINITY })
    const tasks = [pool.run({ type: 'exit', progress: 0 }), pool.run({ type: 'thread' })]
    for (const result of await Promise.allSettled(tasks))
      assert.ok(result.status === 'rejected' && result.reason instanceof WorkerEnded)
  })

  it('ends a task at its timeout, with its thread', async () => {
    const pool = makePool()
    const thread = await pool.run({ type: 'thread' })
    await assert.rejects(pool.run({ type: 'hang' }, { timeoutMs: 10 }), TaskTimedOut)
    assert.notEqual(await pool.run({ type: 'thread' }), thread)
  })

  it('does not count the wait for a thread against the timeout', async () => {
    const pool = makePool()
    const { task, open } = makeWait()
    const first = pool.run(task)
    const hanging = assert.rejects(pool.run({ type: 'hang' }, { timeoutMs: 10 }), TaskTimedOut)
    // A timeout that started here would end the task while the first one still has the thread.
    const other = makePool()
    await assert.rejects(other.run({ type: 'hang' }, { timeoutMs: 30 }), TaskTimedOut)
    open()
    await first
    await hanging
  })

  it('starts the waiting task that `next` selects', async () => {
    const order: string[] = []
    const pool = makePool({ next: (queue) => (queue.length > 0 ? queue.length - 1 : undefined) })
    const { task, open } = makeWait()
    const first = pool.run(task)
    const rest = ['second', 'third'].map(async (name) => {
      await pool.run({ type: 'thread' })
      order.push(name)
    })
    open()
    await Promise.all([first, ...rest])
    assert.deepEqual(order, ['third', 'second'])
  })

  it('rejects tasks beyond its maximum as unavailable', async () => {
    const pool = makePool({ tasksMax: 2 })
    const { task, open } = makeWait()
    const tasks = [pool.run(task), pool.run({ type: 'thread' })]
    await assert.rejects(pool.run({ type: 'thread' }), { code: 'unavailable' })
    open()
    await Promise.all(tasks)
    await pool.run({ type: 'thread' })
  })

  it('ends an idle thread, and starts another when there is work', async () => {
    const pool = makePool({ idleTimeoutMs: 1 })
    const thread = await pool.run({ type: 'thread' })
    await eventually(async () => assert.notEqual(await pool.run({ type: 'thread' }), thread))
  })

  it('can hide the environment from its threads', async () => {
    assert.ok((await makePool().run({ type: 'environment' })) > 0)
    assert.equal(await makePool({ hasEnvironment: false }).run({ type: 'environment' }), 0)
  })

  it('rejects waiting, running and new tasks once it is closed', async () => {
    const pool = makePool()
    const tasks = [pool.run(makeWait().task), pool.run({ type: 'thread' })]
    const rejected = Promise.all(tasks.map((task) => assert.rejects(task, PoolClosed)))
    await pool.close()
    await rejected
    await assert.rejects(pool.run({ type: 'thread' }), PoolClosed)
  })
})
