import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { forEachControlStore, type OpenedWorkspace, testConnection } from '../testing.ts'
import type { LaneKey } from './evaluation-lanes.ts'
import type { Outcome } from './evaluation-outcomes.ts'
import type { NewEvaluation } from './evaluation-queue.ts'
import type { Evaluation } from './evaluation-rows.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = (ms: number): Date => new Date(now.getTime() + ms)
const deadlineAt = later(86_400_000)
const leaseMs = 60_000
const holder = 'node one'

forEachControlStore('the queue of evaluations', (open) => {
  const newEvaluations = (
    { workspaceId }: OpenedWorkspace,
    count: number,
    target?: NewEvaluation['asked'],
  ): NewEvaluation[] =>
    Array.from({ length: count }, () => ({
      id: randomUUID(),
      workspaceId,
      traceId: randomUUID(),
      logId: undefined,
      evaluatorSlug: 'polite',
      evaluatorVersion: 1,
      asked: target,
      isCode: false,
    }))
  const begin = async (
    { store }: OpenedWorkspace,
    lane: LaneKey,
    by: { time?: Date; limit?: number; by?: string } = {},
  ) => {
    const time = by.time ?? now
    const lostAt = new Date(time.getTime() + leaseMs)
    return store.evaluations.begin(lane, {
      holder: by.by ?? holder,
      limit: by.limit ?? 100,
      lostAt,
      now: time,
      concurrencyMax: 3,
    })
  }
  const judged = (evaluation: Evaluation, cost?: number): Outcome => ({
    of: evaluation,
    type: 'judged',
    value: true,
    comment: 'Yes.',
    ...(cost === undefined ? {} : { cost }),
  })
  const connect = ({ workspace }: OpenedWorkspace, fields: { spendMaxPerDay?: number } = {}) =>
    workspace.connections.create(testConnection(fields), now)
  const isOpenLane = async ({ store, workspaceId }: OpenedWorkspace, time: Date) =>
    (await store.evaluations.openLanes(time, 1000)).some((lane) => lane.workspaceId === workspaceId)

  test('what is added twice is there once, and of many that begin at once each is begun by one', async () => {
    const opened = await open()
    const { store, workspaceId } = opened
    const added = newEvaluations(opened, 40)
    assert.equal(await store.evaluations.add(added, { now, deadlineAt }), 40)
    assert.equal(await store.evaluations.add(added.slice(0, 5), { now, deadlineAt }), 0)
    const begun = await Promise.all(
      [1, 2, 3, 4].map((by) =>
        begin(opened, { workspaceId, asked: undefined, isCode: false }, { limit: 10, by: `node ${by}` }),
      ),
    )
    const ids = begun.flatMap(({ evaluations }) => evaluations.map(({ id }) => id))
    assert.deepEqual(ids.toSorted(), added.map(({ id }) => id).toSorted())
    assert.equal(await isOpenLane(opened, later(leaseMs * 2)), false)
  })

  test('a verdict counts from the node that holds the evaluation, and from no other', async () => {
    const opened = await open()
    const { store, workspaceId } = opened
    const lane = { workspaceId, asked: undefined, isCode: false }
    await store.evaluations.add(newEvaluations(opened, 1), { now, deadlineAt })
    const [first] = (await begin(opened, lane)).evaluations
    await store.evaluations.takeBack({ lostBefore: later(leaseMs - 1) }, now)
    assert.deepEqual((await begin(opened, lane, { by: 'node two' })).evaluations, [])
    await store.evaluations.takeBack({ lostBefore: later(leaseMs + 1) }, later(leaseMs))
    const [second] = (await begin(opened, lane, { time: later(leaseMs), by: 'node two' })).evaluations
    assert.equal(second?.attempts, 2)
    const late = await store.evaluations.finish([judged(first!)], { holder, token: 'late', now })
    assert.deepEqual(late, [])
    const by = { holder: 'node two', token: 'token', now: later(leaseMs) }
    assert.equal((await store.evaluations.finish([judged(second!)], by)).length, 1)
    const unstored = await store.evaluations.unstored('node two', now)
    assert.deepEqual(
      unstored.map(({ token, evaluations }) => [token, evaluations[0]?.value]),
      [['token', true]],
    )
    assert.deepEqual(await store.evaluations.unstored('node one', now), [])
    await store.evaluations.stored('token', now)
    assert.deepEqual(await store.evaluations.unstored('node two', now), [])
  })

  test('what is tried again waits for its time, and what was stopped is not charged', async () => {
    const opened = await open()
    const { store, workspaceId } = opened
    const lane = { workspaceId, asked: undefined, isCode: false }
    await store.evaluations.add(newEvaluations(opened, 1), { now, deadlineAt })
    const [evaluation] = (await begin(opened, lane)).evaluations
    const again = {
      of: evaluation!,
      type: 'again',
      problem: 'It failed.',
      dueAt: later(5000),
      isCharged: false,
    } as const
    await store.evaluations.finish([again], { holder, token: '', now })
    assert.equal(await isOpenLane(opened, later(4999)), false)
    assert.equal(await isOpenLane(opened, later(5000)), true)
    const [second] = (await begin(opened, lane, { time: later(5000) })).evaluations
    assert.deepEqual([second?.attempts, second?.problem], [1, 'It failed.'])
  })

  test('a connection begins no more than it may at a time, whatever the model', async () => {
    const opened = await open()
    const { store, workspaceId } = opened
    const { id: connectionId } = await connect(opened)
    const lanes = ['one', 'two'].map((model) => ({
      workspaceId,
      asked: { connectionId, model },
      isCode: false,
    }))
    for (const { asked: target } of lanes)
      await store.evaluations.add(newEvaluations(opened, 5, target), { now, deadlineAt })
    const begun = await Promise.all([...lanes, ...lanes].map((lane) => begin(opened, lane)))
    const evaluations = begun.flatMap((claim) => claim.evaluations)
    assert.equal(evaluations.length, 3)
    await store.evaluations.finish([judged(evaluations[0]!)], { holder, token: 't', now })
    assert.equal((await begin(opened, lanes[0]!)).evaluations.length, 1)
  })

  test('a connection that has spent its day is held until the next, and one that is gone for a while', async () => {
    const opened = await open()
    const { store, workspaceId, workspace } = opened
    const { id: connectionId } = await connect(opened, { spendMaxPerDay: 1 })
    const target = { connectionId, model: 'one' }
    await store.evaluations.add(newEvaluations(opened, 2, target), { now, deadlineAt })
    const [evaluation] = (await begin(opened, { workspaceId, asked: target, isCode: false }, { limit: 1 }))
      .evaluations
    await store.evaluations.finish([judged(evaluation!, 1.5)], { holder, token: 't', now })
    const { evaluations, held } = await begin(opened, { workspaceId, asked: target, isCode: false })
    assert.deepEqual(evaluations, [])
    assert.equal(held?.until.toISOString(), '2026-03-02T00:00:00.000Z')
    assert.match(held?.problem ?? '', /^The connection "Ours" has spent the \$1 that/)
    assert.equal((await workspace.connections.list(now))[0]?.spentToday, 1.5)
    assert.equal(
      (await begin(opened, { workspaceId, asked: target, isCode: false }, { time: held!.until })).evaluations
        .length,
      1,
    )
    await workspace.connections.remove(connectionId)
    assert.equal(
      (await begin(opened, { workspaceId, asked: target, isCode: false })).held?.problem,
      'The connection was deleted.',
    )
  })

  test('each evaluator of a lane has its turn, whatever waits or is under way of another', async () => {
    const opened = await open()
    const { store, workspaceId } = opened
    const createEvaluations = (slug: string, count: number) =>
      newEvaluations(opened, count).map((each) => ({ ...each, evaluatorSlug: slug }))
    const lane = { workspaceId, asked: undefined, isCode: false }
    const begunOf = async (limit: number) => {
      const { evaluations } = await begin(opened, lane, { limit })
      const counts = Map.groupBy(evaluations, ({ evaluatorSlug }) => evaluatorSlug)
      return Object.fromEntries([...counts].map(([slug, all]) => [slug, all.length]))
    }
    await store.evaluations.add(createEvaluations('long', 30), { now: later(-1000), deadlineAt })
    assert.deepEqual(await begunOf(4), { long: 4 })
    await store.evaluations.add(createEvaluations('new', 20), { now, deadlineAt })
    assert.deepEqual(await begunOf(4), { new: 4 })
    assert.deepEqual(await begunOf(4), { long: 2, new: 2 })
    await store.evaluations.add(createEvaluations('few', 1), { now, deadlineAt })
    assert.deepEqual(await begunOf(5), { few: 1, long: 2, new: 2 })
  })

  test('code waits apart from rules', async () => {
    const opened = await open()
    const { store, workspaceId } = opened
    const code = newEvaluations(opened, 2).map((each) => ({ ...each, isCode: true }))
    await store.evaluations.add([...code, ...newEvaluations(opened, 1)], { now, deadlineAt })
    const lanes = (await store.evaluations.openLanes(now, 1000)).filter(
      (lane) => lane.workspaceId === workspaceId,
    )
    assert.deepEqual(lanes.map(({ isCode }) => isCode).toSorted(), [false, true])
    for (const lane of lanes) {
      const { evaluations } = await begin(opened, lane)
      assert.deepEqual(
        evaluations.map(({ isCode, asked: target }) => [isCode, target]),
        Array(lane.isCode ? 2 : 1).fill([lane.isCode, undefined]),
      )
    }
  })

  test('what was drawn waits until one node has put it in its place, and comes again if that one does not', async () => {
    const opened = await open()
    const { store, workspaceId, workspace } = opened
    const id = randomUUID()
    const arrival = { id, workspaceId, sampled: '[1]', evaluations: 2 }
    await store.evaluations.arrive([arrival], now)
    await store.evaluations.arrive([arrival], now)
    const counts = await workspace.evaluations.counts(now)
    assert.deepEqual([counts.waiting, counts.waitingSince], [2, now])
    const taken = async (time: Date) => {
      for (;;) {
        const arrival = await store.evaluations.takeArrival({
          now: time,
          lostAt: new Date(time.getTime() + 1000),
        })
        // Those of other tests are in the same store.
        if (arrival === undefined || arrival.id === id) return arrival
      }
    }
    assert.deepEqual(await taken(now), arrival)
    assert.equal(await taken(later(999)), undefined)
    assert.deepEqual(await taken(later(1000)), arrival)
    const added = newEvaluations(opened, 1)
    assert.equal(await store.evaluations.addArrived(id, added, { now, deadlineAt }), 1)
    assert.equal(await taken(later(1e6)), undefined)
    assert.equal((await workspace.evaluations.counts(now)).waiting, 1)
  })

  test('a lane is held with its reason until it passes, and is doubted when its connection changes', async () => {
    const opened = await open()
    const { store, workspaceId, workspace } = opened
    const { id: connectionId } = await connect(opened)
    const target = { connectionId, model: 'one' }
    await store.evaluations.add(newEvaluations(opened, 1, target), { now, deadlineAt })
    const lane = { workspaceId, asked: target, isCode: false }
    await store.evaluations.hold(lane, { until: later(1000), problem: 'Busy.', now })
    await store.evaluations.hold(lane, { until: later(500), problem: 'Busy.', now })
    const [waiting] = await workspace.evaluations.lanes(now)
    assert.deepEqual(waiting, {
      asked: target,
      isCode: false,
      waiting: 1,
      problem: 'Busy.',
      until: later(1000),
    })
    assert.equal(await isOpenLane(opened, later(999)), false)
    const find = async (time: Date) =>
      (await store.evaluations.openLanes(time, 1000)).find((lane) => lane.workspaceId === workspaceId)
    assert.deepEqual(await find(later(1000)), { ...lane, problems: 1, isProbed: false })
    await store.evaluations.pass(lane, now)
    assert.deepEqual(await find(now), { ...lane, problems: 0, isProbed: true })
    await workspace.connections.update(connectionId, { name: 'Theirs' }, now)
    assert.equal((await find(now))?.isProbed, false)
  })

  test('what waits too long has failed with the reason, and waits again when it is retried', async () => {
    const opened = await open()
    const { store, workspaceId, workspace } = opened
    const lane = { workspaceId, asked: undefined, isCode: false }
    await store.evaluations.add(newEvaluations(opened, 2), { now, deadlineAt })
    await store.evaluations.hold(lane, { until: later(1e9), problem: 'Busy.', now })
    assert.equal(await store.evaluations.failLate(now, now), false)
    assert.equal((await workspace.evaluations.counts(now)).failed, 0)
    await store.evaluations.failLate(later(1), later(1))
    const { items } = await workspace.evaluations.list({ statuses: ['failed'] }, {})
    assert.deepEqual(
      items.map(({ problem }) => problem),
      Array(2).fill('It was not judged before its deadline. Busy.'),
    )
    assert.equal(await isOpenLane(opened, later(1e9)), false)
    const times = { now: later(2), deadlineAt }
    assert.equal(await workspace.evaluations.retry({ evaluatorSlug: 'other' }, times), 0)
    assert.equal(await workspace.evaluations.retry({ ids: [items[0]!.id] }, times), 1)
    assert.equal(await workspace.evaluations.retry({}, times), 1)
    assert.equal(await isOpenLane(opened, later(1e9)), true)
  })

  test('what ended is forgotten after a time, what failed after another', async () => {
    const opened = await open()
    const { store, workspaceId, workspace } = opened
    await store.evaluations.add(newEvaluations(opened, 3), { now, deadlineAt })
    const { evaluations } = await begin(opened, { workspaceId, asked: undefined, isCode: false })
    const [first, second] = evaluations
    await store.evaluations.finish(
      [
        { of: first!, type: 'skipped', comment: 'Nothing.' },
        { of: second!, type: 'failed', problem: 'No.' },
      ],
      { holder, token: 't', now },
    )
    const left = async () =>
      (await workspace.evaluations.list({}, {})).items.map(({ status }) => status).toSorted()
    await store.evaluations.forget(workspaceId, { ended: later(1), failed: now })
    assert.deepEqual(await left(), ['failed', 'running'])
    await store.evaluations.forget(workspaceId, { ended: later(1), failed: later(1) })
    assert.deepEqual(await left(), ['running'])
  })
})
