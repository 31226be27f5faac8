import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { forEachControlStore, type OpenedWorkspace, testConnection } from '../testing.ts'
import type { GroupKey } from './evaluation-groups.ts'
import type { NewEvaluation } from './evaluation-queue.ts'
import type { Evaluation } from './evaluation-rows.ts'
import type { EvaluationUpdate } from './evaluation-updates.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = (ms: number): Date => new Date(now.getTime() + ms)
const deadlineAt = later(86_400_000)
const leaseMs = 60_000
const leaseOwner = 'node one'

forEachControlStore('the queue of evaluations', (open) => {
  const newEvaluations = (
    { workspaceId }: OpenedWorkspace,
    count: number,
    target?: NewEvaluation['target'],
  ): NewEvaluation[] =>
    Array.from({ length: count }, () => ({
      id: randomUUID(),
      workspaceId,
      traceId: randomUUID(),
      logId: undefined,
      evaluatorSlug: 'polite',
      evaluatorVersion: 1,
      target,
      isCode: false,
    }))
  const claim = async (
    { store }: OpenedWorkspace,
    group: GroupKey,
    options: { time?: Date; limit?: number; leaseOwner?: string } = {},
  ) => {
    const time = options.time ?? now
    const leaseExpiresAt = new Date(time.getTime() + leaseMs)
    return store.evaluations.claim(group, {
      leaseOwner: options.leaseOwner ?? leaseOwner,
      limit: options.limit ?? 100,
      leaseExpiresAt,
      now: time,
      concurrencyMax: 3,
    })
  }
  const updateOf = (evaluation: Evaluation, cost?: number): EvaluationUpdate => ({
    evaluation,
    type: 'judged',
    value: true,
    comment: 'Yes.',
    ...(cost === undefined ? {} : { cost }),
  })
  const connect = ({ workspace }: OpenedWorkspace, fields: { spendMaxPerDay?: number } = {}) =>
    workspace.connections.create(testConnection(fields), now)
  const isDueGroup = async ({ store, workspaceId }: OpenedWorkspace, time: Date) =>
    (await store.evaluations.dueGroups(time, 1000)).some((group) => group.workspaceId === workspaceId)

  test('an evaluation added twice exists once, and of many concurrent claims one gets each', async () => {
    const opened = await open()
    const { store, workspaceId } = opened
    const added = newEvaluations(opened, 40)
    assert.equal(await store.evaluations.add(added, { now, deadlineAt }), 40)
    assert.equal(await store.evaluations.add(added.slice(0, 5), { now, deadlineAt }), 0)
    const claims = await Promise.all(
      [1, 2, 3, 4].map((index) =>
        claim(
          opened,
          { workspaceId, target: undefined, isCode: false },
          { limit: 10, leaseOwner: `node ${index}` },
        ),
      ),
    )
    const ids = claims.flatMap(({ evaluations }) => evaluations.map(({ id }) => id))
    assert.deepEqual(ids.toSorted(), added.map(({ id }) => id).toSorted())
    assert.equal(await isDueGroup(opened, later(leaseMs * 2)), false)
  })

  test('a verdict counts only from the lease owner of the evaluation', async () => {
    const opened = await open()
    const { store, workspaceId } = opened
    const group = { workspaceId, target: undefined, isCode: false }
    await store.evaluations.add(newEvaluations(opened, 1), { now, deadlineAt })
    const [first] = (await claim(opened, group)).evaluations
    await store.evaluations.reclaim({ expiredAt: later(leaseMs - 1) }, now)
    assert.deepEqual((await claim(opened, group, { leaseOwner: 'node two' })).evaluations, [])
    await store.evaluations.reclaim({ expiredAt: later(leaseMs + 1) }, later(leaseMs))
    const [second] = (await claim(opened, group, { time: later(leaseMs), leaseOwner: 'node two' }))
      .evaluations
    assert.equal(second?.attempts, 2)
    const late = await store.evaluations.finish([updateOf(first!)], { leaseOwner, token: 'late', now })
    assert.deepEqual(late, [])
    const lease = { leaseOwner: 'node two', token: 'token', now: later(leaseMs) }
    assert.equal((await store.evaluations.finish([updateOf(second!)], lease)).length, 1)
    const unstored = await store.evaluations.unstored('node two', now)
    assert.deepEqual(
      unstored.map(({ token, evaluations }) => [token, evaluations[0]?.value]),
      [['token', true]],
    )
    assert.deepEqual(await store.evaluations.unstored('node one', now), [])
    await store.evaluations.stored('token', now)
    assert.deepEqual(await store.evaluations.unstored('node two', now), [])
  })

  test('a retry waits until it is due, and an interrupted attempt is not charged', async () => {
    const opened = await open()
    const { store, workspaceId } = opened
    const group = { workspaceId, target: undefined, isCode: false }
    await store.evaluations.add(newEvaluations(opened, 1), { now, deadlineAt })
    const [evaluation] = (await claim(opened, group)).evaluations
    const again = {
      evaluation: evaluation!,
      type: 'again',
      problem: 'It failed.',
      dueAt: later(5000),
      isCharged: false,
    } as const
    await store.evaluations.finish([again], { leaseOwner, token: '', now })
    assert.equal(await isDueGroup(opened, later(4999)), false)
    assert.equal(await isDueGroup(opened, later(5000)), true)
    const [second] = (await claim(opened, group, { time: later(5000) })).evaluations
    assert.deepEqual([second?.attempts, second?.problem], [1, 'It failed.'])
  })

  test('a connection never exceeds its concurrency, whatever the model', async () => {
    const opened = await open()
    const { store, workspaceId } = opened
    const { id: connectionId } = await connect(opened)
    const groups = ['one', 'two'].map((model) => ({
      workspaceId,
      target: { connectionId, model },
      isCode: false,
    }))
    for (const { target } of groups)
      await store.evaluations.add(newEvaluations(opened, 5, target), { now, deadlineAt })
    const claims = await Promise.all([...groups, ...groups].map((group) => claim(opened, group)))
    const evaluations = claims.flatMap((claim) => claim.evaluations)
    assert.equal(evaluations.length, 3)
    await store.evaluations.finish([updateOf(evaluations[0]!)], { leaseOwner, token: 't', now })
    assert.equal((await claim(opened, groups[0]!)).evaluations.length, 1)
  })

  test('a connection that has spent its daily limit pauses until the next day, and a missing one for a while', async () => {
    const opened = await open()
    const { store, workspaceId, workspace } = opened
    const { id: connectionId } = await connect(opened, { spendMaxPerDay: 1 })
    const target = { connectionId, model: 'one' }
    await store.evaluations.add(newEvaluations(opened, 2, target), { now, deadlineAt })
    const [evaluation] = (await claim(opened, { workspaceId, target, isCode: false }, { limit: 1 }))
      .evaluations
    await store.evaluations.finish([updateOf(evaluation!, 1.5)], { leaseOwner, token: 't', now })
    const { evaluations, pause: limitReached } = await claim(opened, { workspaceId, target, isCode: false })
    assert.deepEqual(evaluations, [])
    assert.equal(limitReached?.until.toISOString(), '2026-03-02T00:00:00.000Z')
    assert.match(
      limitReached?.problem ?? '',
      /^The connection "Ours" has reached its spending limit of \$1 a day/,
    )
    assert.equal((await workspace.connections.list(now))[0]?.spentToday, 1.5)
    assert.equal(
      (await claim(opened, { workspaceId, target, isCode: false }, { time: limitReached!.until })).evaluations
        .length,
      1,
    )
    await workspace.connections.remove(connectionId)
    assert.equal(
      (await claim(opened, { workspaceId, target, isCode: false })).pause?.problem,
      'The connection was deleted.',
    )
  })

  test('each evaluator of a group gets its share, whatever is waiting or running for another', async () => {
    const opened = await open()
    const { store, workspaceId } = opened
    const createEvaluations = (slug: string, count: number) =>
      newEvaluations(opened, count).map((each) => ({ ...each, evaluatorSlug: slug }))
    const group = { workspaceId, target: undefined, isCode: false }
    const countClaimed = async (limit: number) => {
      const { evaluations } = await claim(opened, group, { limit })
      const counts = Map.groupBy(evaluations, ({ evaluatorSlug }) => evaluatorSlug)
      return Object.fromEntries([...counts].map(([slug, all]) => [slug, all.length]))
    }
    await store.evaluations.add(createEvaluations('long', 30), { now: later(-1000), deadlineAt })
    assert.deepEqual(await countClaimed(4), { long: 4 })
    await store.evaluations.add(createEvaluations('new', 20), { now, deadlineAt })
    assert.deepEqual(await countClaimed(4), { new: 4 })
    assert.deepEqual(await countClaimed(4), { long: 2, new: 2 })
    await store.evaluations.add(createEvaluations('few', 1), { now, deadlineAt })
    assert.deepEqual(await countClaimed(5), { few: 1, long: 2, new: 2 })
  })

  test('code and rules wait in separate groups', async () => {
    const opened = await open()
    const { store, workspaceId } = opened
    const code = newEvaluations(opened, 2).map((each) => ({ ...each, isCode: true }))
    await store.evaluations.add([...code, ...newEvaluations(opened, 1)], { now, deadlineAt })
    const groups = (await store.evaluations.dueGroups(now, 1000)).filter(
      (group) => group.workspaceId === workspaceId,
    )
    assert.deepEqual(groups.map(({ isCode }) => isCode).toSorted(), [false, true])
    for (const group of groups) {
      const { evaluations } = await claim(opened, group)
      assert.deepEqual(
        evaluations.map(({ isCode, target }) => [isCode, target]),
        Array(group.isCode ? 2 : 1).fill([group.isCode, undefined]),
      )
    }
  })

  test('sampled traces wait until one node has enqueued them, and are claimed again if it does not', async () => {
    const opened = await open()
    const { store, workspaceId, workspace } = opened
    const id = randomUUID()
    const arrival = { id, workspaceId, sampled: '[1]', evaluations: 2 }
    await store.evaluations.addArrivals([arrival], now)
    await store.evaluations.addArrivals([arrival], now)
    const counts = await workspace.evaluations.counts(now)
    assert.deepEqual([counts.waiting, counts.waitingSince], [2, now])
    const claimArrival = async (time: Date) => {
      for (;;) {
        const arrival = await store.evaluations.claimArrival({
          now: time,
          leaseExpiresAt: new Date(time.getTime() + 1000),
        })
        // Arrivals of other tests are in the same store.
        if (arrival === undefined || arrival.id === id) return arrival
      }
    }
    assert.deepEqual(await claimArrival(now), arrival)
    assert.equal(await claimArrival(later(999)), undefined)
    assert.deepEqual(await claimArrival(later(1000)), arrival)
    const added = newEvaluations(opened, 1)
    assert.equal(await store.evaluations.addArrived(id, added, { now, deadlineAt }), 1)
    assert.equal(await claimArrival(later(1e6)), undefined)
    assert.equal((await workspace.evaluations.counts(now)).waiting, 1)
  })

  test('an open circuit breaker has a reason and closes after its time, and a changed connection requires a new probe', async () => {
    const opened = await open()
    const { store, workspaceId, workspace } = opened
    const { id: connectionId } = await connect(opened)
    const target = { connectionId, model: 'one' }
    await store.evaluations.add(newEvaluations(opened, 1, target), { now, deadlineAt })
    const group = { workspaceId, target, isCode: false }
    await store.evaluations.openCircuit(group, { until: later(1000), problem: 'Busy.', now })
    await store.evaluations.openCircuit(group, { until: later(500), problem: 'Busy.', now })
    const [waiting] = await workspace.evaluations.groups(now)
    assert.deepEqual(waiting, {
      target,
      isCode: false,
      waiting: 1,
      problem: 'Busy.',
      until: later(1000),
    })
    assert.equal(await isDueGroup(opened, later(999)), false)
    const find = async (time: Date) =>
      (await store.evaluations.dueGroups(time, 1000)).find((group) => group.workspaceId === workspaceId)
    assert.deepEqual(await find(later(1000)), { ...group, problems: 1, isProbed: false })
    await store.evaluations.closeCircuit(group, now)
    assert.deepEqual(await find(now), { ...group, problems: 0, isProbed: true })
    await workspace.connections.update(connectionId, { name: 'Theirs' }, now)
    assert.equal((await find(now))?.isProbed, false)
  })

  test('an evaluation that waits too long fails with the reason, and waits again when it is retried', async () => {
    const opened = await open()
    const { store, workspaceId, workspace } = opened
    const group = { workspaceId, target: undefined, isCode: false }
    await store.evaluations.add(newEvaluations(opened, 2), { now, deadlineAt })
    await store.evaluations.openCircuit(group, { until: later(1e9), problem: 'Busy.', now })
    assert.equal(await store.evaluations.failLate(now, now), false)
    assert.equal((await workspace.evaluations.counts(now)).failed, 0)
    await store.evaluations.failLate(later(1), later(1))
    const { items } = await workspace.evaluations.list({ statuses: ['failed'] }, {})
    assert.deepEqual(
      items.map(({ problem }) => problem),
      Array(2).fill('It was not judged before its deadline. Busy.'),
    )
    assert.equal(await isDueGroup(opened, later(1e9)), false)
    const times = { now: later(2), deadlineAt }
    assert.equal(await workspace.evaluations.retry({ evaluatorSlug: 'other' }, times), 0)
    assert.equal(await workspace.evaluations.retry({ ids: [items[0]!.id] }, times), 1)
    assert.equal(await workspace.evaluations.retry({}, times), 1)
    assert.equal(await isDueGroup(opened, later(1e9)), true)
  })

  test('finished evaluations are deleted after one retention time, failed ones after another', async () => {
    const opened = await open()
    const { store, workspaceId, workspace } = opened
    await store.evaluations.add(newEvaluations(opened, 3), { now, deadlineAt })
    const { evaluations } = await claim(opened, { workspaceId, target: undefined, isCode: false })
    const [first, second] = evaluations
    await store.evaluations.finish(
      [
        { evaluation: first!, type: 'skipped', comment: 'Nothing.' },
        { evaluation: second!, type: 'failed', problem: 'No.' },
      ],
      { leaseOwner, token: 't', now },
    )
    const listStatuses = async () =>
      (await workspace.evaluations.list({}, {})).items.map(({ status }) => status).toSorted()
    await store.evaluations.forget(workspaceId, { endedCutoff: later(1), failedCutoff: now })
    assert.deepEqual(await listStatuses(), ['failed', 'running'])
    await store.evaluations.forget(workspaceId, { endedCutoff: later(1), failedCutoff: later(1) })
    assert.deepEqual(await listStatuses(), ['running'])
  })
})
