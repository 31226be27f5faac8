import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeEvaluator, startTestApp } from '../../../testing/test-app.ts'

const { newWorkspace } = await startTestApp()

describe('evaluators.list', () => {
  it('200: returns the evaluators of the workspace', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(await newWorkspace())
    assert.deepEqual(await workspace.ok(operations.evaluators.list), { evaluators: [] })
    const createdEvaluator = await makeEvaluator(workspace)
    assert.deepEqual(await workspace.ok(operations.evaluators.list), { evaluators: [createdEvaluator] })
  })
})
