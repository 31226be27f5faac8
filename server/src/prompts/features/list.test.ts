import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeFeature, startTestApp } from '../../../testing/test-app.ts'

const { newWorkspace } = await startTestApp()

describe('features.list', () => {
  it('200: lists the features of the workspace', async () => {
    const workspace = await newWorkspace()
    await makeFeature(await newWorkspace())
    assert.deepEqual(await workspace.ok(operations.features.list), { features: [] })
    const createdFeature = await makeFeature(workspace)
    assert.deepEqual(await workspace.ok(operations.features.list), { features: [createdFeature] })
  })
})
