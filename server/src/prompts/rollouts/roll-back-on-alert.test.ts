import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { makeLivePrompt, makeVersion, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'
import { makeRollBackOnAlert } from './roll-back-on-alert.ts'

const { alerts, rollouts, prompts, monitor } = operations
let aheadMs = 0
const now = () => new Date(Date.now() + aheadMs)
const { app, newWorkspace } = await startTestApp({ now })

async function withRollout(): Promise<{ workspace: TestWorkspace; alertId: string; id: string }> {
  const workspace = await newWorkspace()
  await makeLivePrompt(workspace, { text: 'one' })
  await makeVersion(workspace, { text: 'two' })
  const { alert } = await workspace.ok(alerts.create, {
    name: 'Errors',
    measure: 'errorRate',
    windowMinutes: 5,
    condition: 'above',
    threshold: 0.5,
    delaySeconds: 0,
    filters: { promptSlug: 'greeting', promptVersion: '1.0.1' },
  })
  const newRollout = { promptSlug: 'greeting', candidateVersion: '1.0.1', share: 1, alertIds: [alert.id] }
  const { rollout } = await workspace.ok(rollouts.create, newRollout)
  return { workspace, alertId: alert.id, id: rollout.id }
}

const versionFor = async (workspace: TestWorkspace): Promise<string> =>
  (await workspace.ok(prompts.get, { slug: 'greeting', targetingKey: 'ada' })).prompt.version

describe('a firing alert', () => {
  it('rolls back the rollout that names it: the candidate has failed, and is no longer served', async () => {
    const { workspace, alertId, id } = await withRollout()
    assert.equal(await versionFor(workspace), '1.0.1')
    const startTime = new Date(now().getTime() - 60_000).toISOString()
    const prompt = { slug: 'greeting', version: '1.0.1' }
    const failed = { id: 'g', type: 'generation', prompt, metadata: { error: 'It is down.' } }
    await workspace.ok(monitor.trace, { startTime, logs: [failed] })
    await app.flush()
    aheadMs += 60_000
    const ended = await eventually(async () => {
      const { rollout } = await workspace.ok(rollouts.get, { id })
      assert.equal(rollout.status, 'rolled_back')
      return rollout
    })
    assert.deepEqual(
      [ended.endedByAlertId, ended.endedBy, ended.reason],
      [alertId, undefined, 'The alert "Errors" fired.'],
    )
    assert.equal(await versionFor(workspace), '1.0.0')
    const again = { promptSlug: 'greeting', candidateVersion: '1.0.1', share: 1, alertIds: [alertId] }
    assert.match(
      await workspace.refused(rollouts.create, again, 409),
      /^The alert "Errors" is already firing/,
    )
    const { rollout } = await workspace.ok(rollouts.create, { ...again, alertIds: [] })
    await workspace.refused(rollouts.update, { id: rollout.id, alertIds: [alertId] }, 409)
  })

  it('does so once, however many nodes are notified and how often, and does not affect other rollouts', async () => {
    const { workspace, alertId, id } = await withRollout()
    const other = await withRollout()
    let forgetCount = 0
    const onFiring = makeRollBackOnAlert({
      storeOf: (workspaceId) => app.control.scopedTo({ workspaceId }),
      forget: () => {
        forgetCount += 1
      },
      now,
    })
    await Promise.all([1, 2, 3].map(() => onFiring({ workspaceId: workspace.id, alertId })))
    await onFiring({ workspaceId: workspace.id, alertId })
    assert.equal(forgetCount, 1)
    const { rollout } = await workspace.ok(rollouts.get, { id })
    assert.deepEqual([rollout.status, rollout.endedByAlertId], ['rolled_back', alertId])
    const { rollout: untouched } = await other.workspace.ok(rollouts.get, { id: other.id })
    assert.equal(untouched.status, 'running')
    await onFiring({ workspaceId: workspace.id, alertId: other.alertId })
    assert.equal((await other.workspace.ok(rollouts.get, { id: other.id })).rollout.status, 'running')
  })

  it('does not change a rollout that a user has rolled back in the meantime', async () => {
    const { workspace, alertId, id } = await withRollout()
    const { rollout } = await workspace.ok(rollouts.rollback, { id, reason: 'By hand.' })
    const storeOf = (workspaceId: string) => app.control.scopedTo({ workspaceId })
    await makeRollBackOnAlert({ storeOf, forget: () => assert.fail('Nothing changed.'), now })({
      workspaceId: workspace.id,
      alertId,
    })
    assert.deepEqual((await workspace.ok(rollouts.get, { id })).rollout, rollout)
  })
})
