import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { forEachControlStore, type OpenedWorkspace } from '@plumbline/storage/control/testing'
import { pino } from 'pino'
import { eventually } from '../../../fixtures/eventually.ts'
import { JobFailure } from './job.ts'
import { type Jobs, makeJobs } from './jobs.ts'
import { leaseMs } from './running-jobs.ts'

const logger = pino({ level: 'silent' })

forEachControlStore('the runner of jobs', (open) => {
  const newKind = (): string => `test.${randomUUID()}`
  const makeClock = () => {
    let time = new Date('2026-03-01T12:00:00Z')
    return {
      now: () => time,
      pass: (ms: number) => {
        time = new Date(time.getTime() + ms)
      },
    }
  }
  const makeNode = (
    t: TestContext,
    { store }: OpenedWorkspace,
    now: () => Date,
    leaseOwner: string = randomUUID(),
  ): Jobs => {
    const jobs = makeJobs({ queue: store.jobs, leaseOwner, logger, now })
    t.after(() => jobs.stop())
    return jobs
  }
  const find = async ({ store }: OpenedWorkspace, kind: string) => {
    const { items } = await store.jobs.list({ kind })
    assert.equal(items.length, 1)
    return items[0]!
  }

  test('each job runs on one of two nodes, with its payload and workspace, and keeps its result', async (t) => {
    const opened = await open()
    const { now } = makeClock()
    const kind = newKind()
    const calls: number[] = []
    const nodes = await Promise.all(
      [1, 2].map(async () => {
        const jobs = makeNode(t, opened, now)
        const added = jobs.handle<number>(kind, async (payload, { workspaceId }) => {
          assert.equal(workspaceId, opened.workspaceId)
          calls.push(payload)
          return { type: 'done', result: payload * 2 }
        })
        await jobs.start()
        return { jobs, added }
      }),
    )
    const payloads = Array.from({ length: 20 }, (_, index) => index)
    const { workspaceId } = opened
    await Promise.all(payloads.map((payload) => nodes[0]!.added.enqueue(payload, { workspaceId })))
    await eventually(async () => {
      const { items } = await opened.store.jobs.list({ kind, state: 'done' })
      assert.equal(items.length, payloads.length)
      for (const { payload, result } of items) assert.equal(result, Number(payload) * 2)
    })
    assert.deepEqual(
      calls.toSorted((a, b) => a - b),
      payloads,
    )
  })

  test('a failed job is retried with growing pauses, and becomes a dead letter that can be retried', async (t) => {
    const opened = await open()
    const clock = makeClock()
    const kind = newKind()
    let isDown = true
    const jobs = makeNode(t, opened, clock.now)
    const added = jobs.handle(
      kind,
      async () => {
        if (isDown) throw new JobFailure('The receiver is down.')
      },
      { attemptsMax: 2, retryDelayMs: (failures) => failures * 1000 },
    )
    await jobs.start()
    assert.equal(await added.enqueue(null, { key: 'one' }), true)
    assert.equal(await added.enqueue(null, { key: 'one' }), false)
    await jobs.drained()
    const waiting = await find(opened, kind)
    assert.deepEqual(
      [waiting.state, waiting.attempts, waiting.lastError, waiting.dueAt.getTime()],
      ['waiting', 1, 'The receiver is down.', clock.now().getTime() + 1000],
    )
    clock.pass(1000)
    await jobs.drained()
    assert.equal((await find(opened, kind)).state, 'failed')
    isDown = false
    await opened.store.jobs.retry(waiting.id, clock.now())
    await jobs.drained()
    assert.equal((await find(opened, kind)).state, 'done')
  })

  test('a final failure makes the job a dead letter at once', async (t) => {
    const opened = await open()
    const kind = newKind()
    const jobs = makeNode(t, opened, makeClock().now)
    const added = jobs.handle(kind, async () => {
      throw new JobFailure('The channel is gone.', { isFinal: true })
    })
    await added.enqueue(null)
    await jobs.drained()
    const { state, attempts } = await find(opened, kind)
    assert.deepEqual([state, attempts], ['failed', 1])
  })

  test('an unexpected error is reported without the data that it quotes', async (t) => {
    const opened = await open()
    const kind = newKind()
    const jobs = makeNode(t, opened, makeClock().now)
    const added = jobs.handle(kind, async () => {
      throw new Error('cannot read "the secret of a user"')
    })
    await added.enqueue(null)
    await jobs.drained()
    assert.equal((await find(opened, kind)).lastError, 'cannot read "…"')
  })

  test("a killed node's job runs on another node when its lease has expired, and the first node's result does not count", async (t) => {
    const opened = await open()
    const clock = makeClock()
    const kind = newKind()
    const ends: (() => void)[] = []
    const start = async (name: string) => {
      const jobs = makeNode(t, opened, clock.now, name)
      const added = jobs.handle(kind, async () => {
        await new Promise<void>((resolve) => ends.push(resolve))
        return { type: 'done', result: name }
      })
      return { jobs, added }
    }
    // It renews no leases, as if it were killed: renewal begins only with `start`.
    const first = await start('killed')
    await first.added.enqueue(null)
    first.jobs.notify()
    await eventually(async () => assert.equal(ends.length, 1))
    const second = await start('alive')
    await second.jobs.start()
    clock.pass(leaseMs - 1)
    second.jobs.notify()
    await eventually(async () => assert.equal((await find(opened, kind)).state, 'running'))
    assert.equal(ends.length, 1)
    clock.pass(10_001)
    second.jobs.notify()
    await eventually(async () => assert.equal(ends.length, 2))
    ends[1]!()
    await eventually(async () => assert.equal((await find(opened, kind)).result, 'alive'))
    ends[0]!()
    await first.jobs.stop()
    assert.equal((await find(opened, kind)).result, 'alive')
  })

  test('a killed node reclaims its jobs when it starts', async (t) => {
    const opened = await open()
    const { now } = makeClock()
    const kind = newKind()
    const [id] = await opened.store.jobs.enqueue(
      [{ kind, workspaceId: undefined, payload: null, attemptsMax: 3 }],
      now(),
    )
    const leaseExpiresAt = new Date(now().getTime() + leaseMs)
    await opened.store.jobs.claim({
      kind,
      leaseOwner: 'again',
      leaseExpiresAt,
      limit: 1,
      closedGroups: [],
      now: now(),
    })
    const jobs = makeNode(t, opened, now, 'again')
    const attempts: number[] = []
    jobs.handle(kind, async (_payload, context) => {
      assert.equal(context.id, id)
      attempts.push(context.attempts)
    })
    await jobs.start()
    await jobs.drained()
    assert.deepEqual(attempts, [2])
  })

  test('a job interrupted by a stop is released, and its attempt does not count', async (t) => {
    const opened = await open()
    const kind = newKind()
    const jobs = makeNode(t, opened, makeClock().now)
    let hasStarted = false
    const added = jobs.handle(
      kind,
      (_payload, { signal }) =>
        new Promise<void>((_resolve, reject) => {
          hasStarted = true
          signal.addEventListener('abort', () => reject(new Error('interrupted')))
        }),
    )
    await jobs.start()
    await added.enqueue(null)
    await eventually(async () => assert.ok(hasStarted))
    await jobs.stop()
    const { state, attempts, leaseOwner } = await find(opened, kind)
    assert.deepEqual([state, attempts, leaseOwner], ['waiting', 0, undefined])
  })

  test('a job that is cancelled while it runs is aborted when it next reports progress', async (t) => {
    const opened = await open()
    const kind = newKind()
    const jobs = makeNode(t, opened, makeClock().now)
    let interrupted: boolean | undefined
    const added = jobs.handle(kind, async (_payload, { id, signal, reportProgress }) => {
      await reportProgress(1)
      assert.equal(signal.aborted, false)
      assert.equal(await opened.store.jobs.cancel(id, new Date()), true)
      await reportProgress(2)
      interrupted = signal.aborted
    })
    await jobs.start()
    await added.enqueue(null)
    await eventually(async () => assert.equal(interrupted, true))
    const { state, progress } = await find(opened, kind)
    assert.deepEqual([state, progress], ['cancelled', 1])
  })

  test('no more jobs of a group run at a time than its kind allows', async (t) => {
    const opened = await open()
    const kind = newKind()
    const jobs = makeNode(t, opened, makeClock().now)
    const running: string[] = []
    const ends: (() => void)[] = []
    const added = jobs.handle<string>(
      kind,
      async (group) => {
        running.push(group)
        await new Promise<void>((resolve) => ends.push(resolve))
      },
      { concurrency: 5, concurrencyPerGroup: 2 },
    )
    for (const group of ['slow', 'slow', 'slow', 'slow', 'fast'])
      await added.enqueue(group, { concurrencyGroup: group })
    await eventually(async () => assert.deepEqual(running.toSorted(), ['fast', 'slow', 'slow']))
    ends[0]!()
    await eventually(async () => assert.equal(running.length, 4))
    const done = eventually(async () => {
      for (const end of ends) end()
      assert.equal((await opened.store.jobs.list({ kind, state: 'done' })).items.length, 5)
    })
    await done
  })

  test('a group that keeps failing is paused until one of its jobs succeeds', async (t) => {
    const opened = await open()
    const clock = makeClock()
    const kind = newKind()
    const jobs = makeNode(t, opened, clock.now)
    let isDown = true
    let calls = 0
    const added = jobs.handle(
      kind,
      async () => {
        calls += 1
        if (isDown) throw new JobFailure('Down.')
      },
      { breaker: { failuresMax: 2, openMs: 5000 }, retryDelayMs: () => 1, concurrency: 1 },
    )
    for (let count = 0; count < 6; count += 1) await added.enqueue(null, { concurrencyGroup: kind })
    await jobs.drained()
    assert.equal(calls, 2)
    clock.pass(5000)
    await jobs.drained()
    assert.equal(calls, 3, 'One job of a half-open group is tried.')
    isDown = false
    clock.pass(5000)
    await jobs.drained()
    assert.equal((await opened.store.jobs.list({ kind, state: 'done' })).items.length, 6)
  })

  test('a scheduled task runs on one node at a time, repeatedly, and continues after a failure', async (t) => {
    const opened = await open()
    const clock = makeClock()
    const kind = newKind()
    let calls = 0
    const nodes = [1, 2].map(() => makeNode(t, opened, clock.now))
    for (const jobs of nodes) {
      jobs.schedule(kind, 60_000, async () => {
        calls += 1
        if (calls === 2) throw new Error('away')
      })
      await jobs.start()
    }
    const waitForDrain = () => Promise.all(nodes.map((jobs) => jobs.drained()))
    await waitForDrain()
    assert.equal(calls, 0)
    for (const count of [1, 2, 3, 4]) {
      clock.pass(60_000)
      await waitForDrain()
      assert.equal(calls, count)
    }
    assert.equal((await find(opened, kind)).state, 'waiting')
  })

  test('a scheduled task continues after a user has cancelled its job', async (t) => {
    const opened = await open()
    const clock = makeClock()
    const kind = newKind()
    let calls = 0
    const jobs = makeNode(t, opened, clock.now)
    jobs.schedule(kind, 3_600_000, async () => {
      calls += 1
    })
    await jobs.start()
    assert.equal(await opened.store.jobs.cancel((await find(opened, kind)).id, clock.now()), true)
    clock.pass(60_000)
    jobs.notify()
    await eventually(async () => {
      const { items } = await opened.store.jobs.list({ kind, state: 'waiting' })
      assert.deepEqual(
        items.map(({ dueAt }) => dueAt.getTime()),
        [clock.now().getTime() + 3_600_000],
      )
    })
    clock.pass(3_600_000)
    await jobs.drained()
    assert.equal(calls, 1)
  })

  test('jobs scheduled by a clock that was ahead run when the clock is set back, and after a restart', async (t) => {
    const opened = await open()
    const clock = makeClock()
    const [kind, nightly] = [newKind(), newKind()]
    let calls = 0
    let nights = 0
    const start = async () => {
      const jobs = makeNode(t, opened, clock.now)
      jobs.schedule(kind, 60_000, async () => {
        calls += 1
      })
      const night = jobs.handle(
        nightly,
        async () => {
          nights += 1
        },
        { dueWithinMs: 25 * 3_600_000 },
      )
      await jobs.start()
      return { jobs, night }
    }
    const { jobs, night } = await start()
    await night.enqueue(null, { key: 'nightly', dueAt: new Date(clock.now().getTime() + 3 * 3_600_000) })
    clock.pass(2 * 3_600_000)
    jobs.notify()
    await eventually(async () => assert.equal(calls, 1))
    await eventually(async () => assert.equal((await find(opened, kind)).state, 'waiting'))
    clock.pass(-2 * 3_600_000)
    jobs.notify()
    await eventually(async () => assert.equal(calls, 2))
    await eventually(async () => assert.equal((await find(opened, kind)).state, 'waiting'))
    await jobs.stop()
    // The clock of this node is right from the start.
    clock.pass(-3_600_000)
    await (await start()).jobs.drained()
    assert.deepEqual([calls, nights], [3, 0])
  })

  test('a clock that was ahead for a moment delays nothing for long', async (t) => {
    const opened = await open()
    const clock = makeClock()
    const kind = newKind()
    let calls = 0
    let readingsAhead = 0
    const jobs = makeNode(t, opened, () => {
      if (readingsAhead === 0) return clock.now()
      readingsAhead -= 1
      return new Date(clock.now().getTime() + 2 * 3_600_000)
    })
    jobs.schedule(kind, 60_000, async () => {
      calls += 1
      // The next reading determines when the work is due again.
      readingsAhead = calls === 1 ? 1 : 0
    })
    await jobs.start()
    clock.pass(60_000)
    jobs.notify()
    await eventually(async () => assert.equal(calls, 2))
  })

  test('a kind has only one handler', async (t) => {
    const jobs = makeNode(t, await open(), makeClock().now)
    const handler = async () => undefined
    jobs.handle('test.twice', handler)
    assert.throws(() => jobs.handle('test.twice', handler), /already has a handler/)
  })
})
