import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { create, update } = operations.alerts
const { newWorkspace } = await startTestApp()

const makeAlert = async (workspace: TestWorkspace) => {
  const rule = { measure: 'errorRate', windowMinutes: 5, condition: 'above', threshold: 0.5 }
  return (await workspace.ok(create, { name: 'Errors', ...rule })).alert
}

describe('the end of a mute', () => {
  it('200: may be an instant in any form, or null', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeAlert(workspace)
    const ms = Math.floor(Date.now() / 1000) * 1000 + 3_600_000
    const text = new Date(ms).toISOString()
    for (const mutedUntil of [text, text.slice(0, 19), text.replace('Z', '+00:00'), ms / 1000, ms, ms * 1000])
      assert.equal((await workspace.ok(update, { id, mutedUntil })).alert.mutedUntil, text)
    assert.equal((await workspace.ok(update, { id, mutedUntil: null })).alert.mutedUntil, null)
  })

  it('400: must be a valid time, at most a year ahead', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeAlert(workspace)
    for (const mutedUntil of ['2999-01-01T00:00:00Z', 'soon', '2025-02-29T00:00:00Z', '2025-03-01', 3e10, 0])
      assert.match(await workspace.refused(update, { id, mutedUntil }, 400), /^mutedUntil: /)
  })
})
