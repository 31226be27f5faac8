// On both control planes: only PostgreSQL can have two requests in the middle of a change.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp } from '../../../testing/test-app.ts'

const { newWorkspace } = await startTestApp()
const { get, update } = operations.retention

it('retention.update: concurrent changes of different rules are all kept', async () => {
  const workspace = await newWorkspace()
  const changes = [{ days: 90 }, { fileDays: 30 }, { evaluationDays: 14 }, { idempotencyDays: 2 }]
  const before = await workspace.ok(get)
  await Promise.all(changes.map((change) => workspace.ok(update, change)))
  assert.deepEqual(await workspace.ok(get), Object.assign({ ...before }, ...changes))
})
