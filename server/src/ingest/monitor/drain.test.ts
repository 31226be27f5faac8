import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordTrace, startTestApp } from '../../../testing/test-app.ts'

it('a request that waits for the drain is answered while the spool is emptied beside it', async () => {
  const { app, newWorkspace } = await startTestApp()
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
