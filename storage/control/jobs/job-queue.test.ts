import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { forEachControlStore, type OpenedWorkspace } from '../testing.ts'
import type { Job, NewJob } from './job-rows.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = (ms: number): Date => new Date(now.getTime() + ms)
const leaseMs = 60_000

forEachControlStore('jobs', (open) => {
  /** A separate kind for each test, since the installation is shared. */
  const newJob = (fields: Partial<NewJob> = {}): NewJob => ({
    workspaceId: undefined,
    kind: `test.${randomUUID()}`,
    payload: { of: 'this test' },
    attemptsMax: 3,
    ...fields,
  })
  const claim = (
    { store }: OpenedWorkspace,
    kind: string,
    fields: { limit?: number; node?: string; time?: Date; closedGroups?: string[] } = {},
  ): Promise<Job[]> => {
    const { limit = 100, node = 'node one', time = now, closedGroups = [] } = fields
    const leaseExpiresAt = new Date(time.getTime() + leaseMs)
    return store.jobs.claim({ kind, leaseOwner: node, leaseExpiresAt, limit, closedGroups, now: time })
  }
  const toOwner = (job: Job) => ({ id: job.id, attempts: job.attempts, leaseOwner: job.leaseOwner ?? '' })
  const find = async ({ store }: OpenedWorkspace, id: string): Promise<Job> => {
    const job = await store.jobs.find(id)
    assert.ok(job !== undefined)
    return job
  }

  test('if many nodes claim at once, each job is claimed by one of them', async () => {
    const opened = await open()
    const kind = `test.${randomUUID()}`
    await opened.store.jobs.enqueue(
      Array.from({ length: 40 }, () => newJob({ kind })),
      now,
    )
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) => claim(opened, kind, { limit: 5, node: `node ${index}` })),
    )
    const claimed = claims.flat()
    assert.equal(new Set(claimed.map(({ id }) => id)).size, claimed.length)
    // On PostgreSQL a row that another node has locked is skipped, so one more claim may be needed.
    const others = await claim(opened, kind)
    assert.equal(claimed.length + others.length, 40)
    assert.deepEqual(await claim(opened, kind), [])
  })

  test('a job is claimed unchanged once it is due, and not before', async () => {
    const opened = await open()
    const job = newJob({ payload: { list: [1, null, 'ü'], deep: { is: true } }, dueAt: later(1000) })
    const [id] = await opened.store.jobs.enqueue([{ ...job, workspaceId: opened.workspaceId }], now)
    assert.ok(id !== undefined)
    assert.deepEqual(await claim(opened, job.kind, { time: later(999) }), [])
    const [claimed] = await claim(opened, job.kind, { time: later(1000) })
    assert.deepEqual(claimed, {
      id,
      workspaceId: opened.workspaceId,
      kind: job.kind,
      key: undefined,
      concurrencyGroup: '',
      payload: job.payload,
      state: 'running',
      dueAt: later(1000),
      attempts: 1,
      attemptsMax: 3,
      leaseOwner: 'node one',
      leaseExpiresAt: later(1000 + leaseMs),
      lastError: undefined,
      progress: undefined,
      result: undefined,
      createdAt: now,
      finishedAt: undefined,
    } satisfies Job)
  })

  test('a key is free once its job is done, but not while the job is waiting, running or a dead letter', async () => {
    const opened = await open()
    const { store } = opened
    const job = newJob({ key: 'one', attemptsMax: 1 })
    const add = async () => (await store.jobs.enqueue([job, job], now)).length
    assert.equal(await add(), 1)
    assert.equal(await add(), 0)
    const [running] = await claim(opened, job.kind)
    assert.equal(await add(), 0)
    assert.equal(await store.jobs.fail(toOwner(running!), 'No.', now), true)
    assert.equal(await add(), 0)
    assert.equal(await store.jobs.retry(running!.id, now), true)
    const [again] = await claim(opened, job.kind)
    assert.equal(again?.attempts, 1)
    assert.equal(await store.jobs.complete(toOwner(again!), { rows: 2 }, now), true)
    const done = await find(opened, again!.id)
    assert.deepEqual([done.state, done.result, done.finishedAt], ['done', { rows: 2 }, now])
    assert.equal(await add(), 1)
  })

  test('a node that lost its lease changes nothing, and another one runs the job', async () => {
    const opened = await open()
    const { store } = opened
    const job = newJob()
    await store.jobs.enqueue([job], now)
    const [first] = await claim(opened, job.kind)
    assert.deepEqual(await store.jobs.renew([first!.id], 'node one', later(leaseMs * 2)), [first!.id])
    await store.jobs.reclaim({ expiredAt: later(leaseMs) }, later(leaseMs))
    assert.equal((await find(opened, first!.id)).state, 'running')
    await store.jobs.reclaim({ expiredAt: later(leaseMs * 2) }, later(leaseMs * 2))
    const [second] = await claim(opened, job.kind, { node: 'node two', time: later(leaseMs * 2) })
    assert.deepEqual([second?.id, second?.attempts], [first!.id, 2])
    const lostOwner = toOwner(first!)
    assert.deepEqual(await store.jobs.renew([first!.id], 'node one', later(1e9)), [])
    assert.equal(await store.jobs.complete(lostOwner, undefined, now), false)
    assert.equal(await store.jobs.fail(lostOwner, 'No.', now), false)
    assert.equal(await store.jobs.retryAt(lostOwner, 'No.', now), false)
    assert.equal(await store.jobs.reschedule({ ...lostOwner, dueAt: now }, now), false)
    assert.equal(await store.jobs.release(lostOwner, now), false)
    assert.equal(await store.jobs.reportProgress(lostOwner, 1), false)
    assert.equal(await store.jobs.complete(toOwner(second!), undefined, now), true)
  })

  test('a job that kills its node on every attempt becomes a dead letter', async () => {
    const opened = await open()
    const { store } = opened
    const job = newJob({ attemptsMax: 2 })
    const [id] = await store.jobs.enqueue([job], now)
    for (const state of ['waiting', 'failed']) {
      const node = `killed ${id}`
      assert.equal((await claim(opened, job.kind, { node })).length, 1)
      assert.equal(await store.jobs.reclaim({ leaseOwner: node }, now), 1)
      const reclaimed = await find(opened, id!)
      assert.equal(reclaimed.state, state)
      assert.match(reclaimed.lastError ?? '', /stopped/)
    }
    assert.deepEqual(await claim(opened, job.kind), [])
  })

  test('an attempt by a node that shuts down cleanly does not count', async () => {
    const opened = await open()
    const job = newJob({ attemptsMax: 1 })
    await opened.store.jobs.enqueue([job], now)
    const [claimed] = await claim(opened, job.kind)
    assert.equal(await opened.store.jobs.release(toOwner(claimed!), now), true)
    assert.equal((await claim(opened, job.kind))[0]?.attempts, 1)
  })

  test('a failed job waits for its retry with the reason, and one without a limit is retried forever', async () => {
    const opened = await open()
    const job = newJob({ attemptsMax: undefined })
    const [id] = await opened.store.jobs.enqueue([job], now)
    const [claimed] = await claim(opened, job.kind)
    await opened.store.jobs.retryAt(toOwner(claimed!), 'Busy.', later(5000))
    assert.deepEqual(await claim(opened, job.kind, { time: later(4999) }), [])
    assert.equal((await find(opened, id!)).lastError, 'Busy.')
    const [again] = await claim(opened, job.kind, { time: later(5000) })
    assert.equal(again?.attempts, 2)
    await opened.store.jobs.reclaim({ leaseOwner: 'node one' }, now)
    assert.equal((await find(opened, id!)).state, 'waiting')
  })

  test('jobs of closed groups are not claimed, and others are', async () => {
    const opened = await open()
    const kind = `test.${randomUUID()}`
    const jobs = ['slow', 'fast', ''].map((concurrencyGroup) => newJob({ kind, concurrencyGroup }))
    await opened.store.jobs.enqueue(jobs, now)
    const claimed = await claim(opened, kind, { closedGroups: ['slow'] })
    assert.deepEqual(claimed.map((job) => job.concurrencyGroup).toSorted(), ['', 'fast'])
    assert.equal((await claim(opened, kind)).length, 1)
  })

  test('jobs of one sequence run one after another, even if an earlier one is retried', async () => {
    const opened = await open()
    const { store } = opened
    const [kind, sequence] = [`test.${randomUUID()}`, randomUUID()]
    const ids = await store.jobs.enqueue(
      [2, 1, 3].map((position) => newJob({ kind, sequence, position, payload: position, attemptsMax: 2 })),
      now,
    )
    assert.equal(ids.length, 3)
    const [first, ...others] = await claim(opened, kind)
    assert.deepEqual([first?.payload, others], [1, []])
    await store.jobs.retryAt(toOwner(first!), 'Busy.', later(1000))
    assert.deepEqual(await claim(opened, kind), [])
    const [again] = await claim(opened, kind, { time: later(1000) })
    // A dead letter does not block the sequence.
    await store.jobs.fail(toOwner(again!), 'No.', later(1000))
    assert.deepEqual(
      (await claim(opened, kind, { time: later(1000) })).map(({ payload }) => payload),
      [2],
    )
  })

  test('a cancelled job is not claimed, and its node loses it', async () => {
    const opened = await open()
    const { store } = opened
    const job = newJob({ key: 'one' })
    const [id] = await store.jobs.enqueue([job], now)
    const [running] = await claim(opened, job.kind)
    assert.equal(await store.jobs.cancel(id!, now), true)
    assert.equal(await store.jobs.cancel(id!, now), false)
    assert.deepEqual(await store.jobs.renew([id!], 'node one', later(1)), [])
    assert.equal(await store.jobs.complete(toOwner(running!), undefined, now), false)
    const [other] = await store.jobs.enqueue([job], now)
    assert.equal(await store.jobs.retry(id!, now), false, 'Another job has its key.')
    assert.equal(await store.jobs.cancel(other!, now), true)
    assert.equal(await store.jobs.retry(id!, now), true)
  })

  test('a recurring job restarts with no attempts, and keeps its key', async () => {
    const opened = await open()
    const job = newJob({ key: 'scheduled', attemptsMax: 1 })
    await opened.store.jobs.enqueue([job], now)
    for (const time of [now, later(1000)]) {
      const [claimed] = await claim(opened, job.kind, { time })
      assert.equal(claimed?.attempts, 1)
      await opened.store.jobs.reschedule({ ...toOwner(claimed!), dueAt: claimed!.dueAt }, later(1000))
    }
    assert.deepEqual(await opened.store.jobs.enqueue([job], now), [])
  })

  test('a workspace sees, counts and changes its own jobs only, newest first and in pages', async () => {
    const [opened, other] = [await open(), await open()]
    const { store, workspace, workspaceId } = opened
    const kind = `test.${randomUUID()}`
    const added: string[] = []
    for (const ms of [1, 2, 3])
      added.push(...(await store.jobs.enqueue([newJob({ kind, workspaceId })], later(ms))))
    const [foreign] = await store.jobs.enqueue([newJob({ kind, workspaceId: other.workspaceId })], now)
    const [ofNone] = await store.jobs.enqueue([newJob({ kind })], now)
    const firstPage = await workspace.jobs.list({ limit: 2 })
    const lastPage = await workspace.jobs.list({ limit: 2, after: firstPage.next! })
    assert.equal(lastPage.next, undefined)
    const listed = [...firstPage.items, ...lastPage.items].map(({ id }) => id)
    assert.deepEqual(listed, added.toReversed())
    assert.deepEqual((await workspace.jobs.list({ kind: 'other' })).items, [])
    assert.deepEqual((await workspace.jobs.list({ state: 'done' })).items, [])
    assert.deepEqual(await workspace.jobs.counts(), [{ kind, state: 'waiting', count: 3, dueAt: later(1) }])
    const count = (await store.jobs.counts()).find((each) => each.kind === kind)
    assert.equal(count?.count, 5)
    for (const id of [foreign!, ofNone!]) {
      assert.equal(await workspace.jobs.find(id), undefined)
      assert.equal(await workspace.jobs.cancel(id, now), false)
      assert.equal(await store.jobs.cancel(id, now), true)
      assert.equal(await workspace.jobs.retry(id, now), false)
    }
  })

  test('finished jobs are deleted after one retention time, and dead letters after another', async () => {
    const opened = await open()
    const { store } = opened
    const job = newJob()
    await store.jobs.enqueue([job, job, job], now)
    const [first, second] = await claim(opened, job.kind, { limit: 2 })
    await store.jobs.complete(toOwner(first!), undefined, now)
    await store.jobs.fail(toOwner(second!), 'No.', now)
    const states = async () =>
      (await store.jobs.list({ kind: job.kind })).items.map(({ state }) => state).toSorted()
    await store.jobs.deleteFinished({ doneCutoff: now, failedCutoff: now })
    assert.deepEqual(await states(), ['done', 'failed', 'waiting'])
    await store.jobs.deleteFinished({ doneCutoff: later(1), failedCutoff: now })
    assert.deepEqual(await states(), ['failed', 'waiting'])
    await store.jobs.deleteFinished({ doneCutoff: later(1), failedCutoff: later(1) })
    assert.deepEqual(await states(), ['waiting'])
  })

  test('cancelled jobs are deleted too, but those with a key are kept with their workspace', async () => {
    const { store, workspaceId } = await open()
    const job = newJob()
    const ids = await store.jobs.enqueue([job, { ...job, key: 'a', workspaceId }], now)
    for (const id of ids) assert.equal(await store.jobs.cancel(id, now), true)
    await store.jobs.deleteFinished({ doneCutoff: later(1), failedCutoff: later(1) })
    const { items } = await store.jobs.list({ kind: job.kind })
    assert.deepEqual(
      items.map(({ key, state }) => [key, state]),
      [['a', 'cancelled']],
    )
  })
})
