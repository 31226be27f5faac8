// One control plane is enough: moving records from the spool to the trace store is the same on both.
// A process of its own: it changes the clock, which would sign out the users of other tests.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { app, newWorkspace } = await startTestApp()

it('responds to a request that waits for the drain while another drain empties the spool', async () => {
  const workspace = await newWorkspace()
  const round = async (): Promise<void> => {
    await recordTrace(workspace)
    // Each of them iterates over the sealed segments, and one removes a segment that another is about to read.
    await Promise.all([
      app.flush(),
      workspace.ok(operations.deletions.create, { filter: { userId: 'nobody' } }),
      app.flush(),
    ])
  }
  for (let rounds = 0; rounds < 10; rounds++) await Promise.all([round(), round(), round()])
})

it('continues at once after the clock was set back', async (context) => {
  const workspace = await newWorkspace()
  const dayMs = 86_400_000
  // Some batches begin before the clock is set back, and end afterwards.
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
