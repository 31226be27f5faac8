// One control plane is enough: what moves records from the spool to the trace store is the same on both.
// A process of its own: it moves the clock, by which the people of other tests would be signed out.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { app, newWorkspace } = await startTestApp()

it('a request that waits for the drain is answered while the spool is emptied beside it', async () => {
  const workspace = await newWorkspace()
  const round = async (): Promise<void> => {
    await recordTrace(workspace)
    // Each of them looks at the sealed segments, and one removes what another is about to read.
    await Promise.all([
      app.flush(),
      workspace.ok(operations.deletions.create, { filter: { userId: 'nobody' } }),
      app.flush(),
    ])
  }
  for (let rounds = 0; rounds < 10; rounds++) await Promise.all([round(), round(), round()])
})

it('goes on at once after the clock was put back', async (context) => {
  const workspace = await newWorkspace()
  const dayMs = 86_400_000
  // Some batches begin before the clock is put back, and end afterwards.
  for (let rounds = 0; rounds < 300; rounds++) {
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() + dayMs })
    await recordTrace(workspace)
    context.mock.timers.reset()
    await recordTrace(workspace)
  }
  await recordTrace(workspace, { name: 'after the jump' })
  await eventually(async () => {
    const { traces } = await workspace.ok(operations.traces.list, { name: 'after the jump' })
    assert.equal(traces.length, 1)
  })
})
