import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openControlStore, recomputationJobKey, recomputationJobKind } from '@plumbline/storage/control'
import { engines } from '@plumbline/storage/control/testing'
import { pino } from 'pino'
import { eventually } from '../../../../fixtures/eventually.ts'
import { makeJobs } from '../../jobs/jobs.ts'
import { makeRecomputing } from './recomputing.ts'

test('a recomputation is applied if that was requested before the comparison job had ended', async (t) => {
  const place = await engines.find(({ name }) => name === 'SQLite')!.emptyPlace()
  const control = await openControlStore(place.location)
  const now = (): Date => new Date()
  const jobs = makeJobs({ queue: control.jobs, leaseOwner: 'node', logger: pino({ level: 'silent' }), now })
  t.after(async () => {
    await jobs.stop()
    await control.close()
    await place.remove()
  })
  const { id: workspaceId } = await control.createWorkspace({ name: 'Test' })
  const { recomputations } = control.scopedTo({ workspaceId })
  const find = async (id: string) => {
    const recomputation = await recomputations.find(id)
    assert.ok(recomputation)
    return recomputation
  }
  const recomputing = makeRecomputing({
    control: {
      recomputations: {
        ...control.recomputations,
        async finishComparing(id, ...rest) {
          await control.recomputations.finishComparing(id, ...rest)
          assert.ok(await recomputations.startApplying(id))
          await recomputing.enqueue(await find(id))
        },
      },
    },
    jobs,
    traceStore: { changeCosts: () => assert.fail('There are no traces.') },
    priceLists: { find: async () => ({ version: '1', models: [] }) as never },
    workspaceOf: () =>
      ({ prices: { list: async () => [] }, traces: { walk: async function* () {} } }) as never,
    settle: async () => {},
    changeTraces: (_traces, work) => work(),
    now,
  })
  await jobs.start()
  const requester = { requestedBy: 'key', requestedByName: 'Key' }
  const created = await recomputations.create({ fromUs: 0n, toUs: 1n, listVersion: '1', ...requester }, now())
  await recomputing.enqueue(created)
  await eventually(async () => assert.equal((await find(created.id)).status, 'applied'))
})

test('a canceled recomputation is not resumed by the next start', async (t) => {
  const place = await engines.find(({ name }) => name === 'SQLite')!.emptyPlace()
  const control = await openControlStore(place.location)
  t.after(async () => {
    await control.close()
    await place.remove()
  })
  const now = new Date()
  const { id: workspaceId } = await control.createWorkspace({ name: 'Test' })
  const { recomputations } = control.scopedTo({ workspaceId })
  const input = { fromUs: 0n, toUs: 1n, listVersion: '1', requestedBy: 'key', requestedByName: 'Key' }
  const created = await recomputations.create(input, now)
  const countRunning = async () => (await control.recomputations.running()).length
  const cancelJob = async (key: string) => {
    const job = { kind: recomputationJobKind, workspaceId, payload: null, attemptsMax: undefined, key }
    const [id = assert.fail()] = await control.jobs.enqueue([job], now)
    assert.equal(await control.jobs.cancel(id, now), true)
  }
  assert.equal(await countRunning(), 1)
  await cancelJob(recomputationJobKey(created))
  assert.equal(await countRunning(), 0)
  await control.recomputations.finishComparing(created.id, 1, '[]', now)
  assert.ok(await recomputations.startApplying(created.id))
  assert.equal(await countRunning(), 1)
  await cancelJob(created.id)
  assert.equal(await countRunning(), 0)
})
