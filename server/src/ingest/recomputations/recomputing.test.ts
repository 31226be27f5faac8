import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openControlStore } from '@plumbline/storage/control'
import { engines } from '@plumbline/storage/control/testing'
import { pino } from 'pino'
import { eventually } from '../../../../fixtures/eventually.ts'
import { makeJobs } from '../../jobs/jobs.ts'
import { makeRecomputing } from './recomputing.ts'

test('a recomputation is applied that was asked for before the job of its comparison had ended', async (t) => {
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
    runExclusive: (work) => work(),
    now,
  })
  await jobs.start()
  const requester = { requestedBy: 'key', requestedByName: 'Key' }
  const created = await recomputations.create({ fromUs: 0n, toUs: 1n, listVersion: '1', ...requester }, now())
  await recomputing.enqueue(created)
  await eventually(async () => assert.equal((await find(created.id)).status, 'applied'))
})
