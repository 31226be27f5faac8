import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { forEachControlStore } from '@plumbline/storage/control/testing'
import { pino } from 'pino'
import { makeJobs } from '../jobs/jobs.ts'
import { makeDeliveries } from './deliveries.ts'

const logger = pino({ level: 'silent' })
const now = () => new Date()
const runName = { datasetSlug: 'capitals', datasetName: 'Capitals', runName: 'first' }

forEachControlStore('the experiment of a run', (open) => {
  it('is the experiment that a concurrent request creates', async () => {
    const { store, workspace, workspaceId } = await open()
    const deliveries = makeDeliveries({
      jobs: makeJobs({ queue: store.jobs, leaseOwner: randomUUID(), logger, now }),
      workspaces: { of: () => assert.fail('No job runs here.') },
      joining: { join: () => assert.fail('No job runs here.') },
      onChanged: () => {},
    })
    const giver = { workspace: { id: workspaceId, experiments: workspace.experiments }, now: now() }
    const winners: { readonly id: string }[] = []
    const run = await deliveries.run(runName, giver, async (create) => {
      winners.push(await deliveries.run(runName, giver))
      return create()
    })
    assert.deepEqual(
      [run.id],
      winners.map(({ id }) => id),
    )
    assert.equal((await workspace.experiments.list({ limit: 10 })).items.length, 1)
  })
})
