import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeExperiment, makeFeature, startTestApp } from '../../../testing/test-app.ts'

const { get } = operations.experiments
const { newWorkspace } = await startTestApp()

describe('experiments.get', () => {
  it('200: returns the experiment', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const experiment = await makeExperiment(workspace)
    assert.deepEqual(await workspace.ok(get, { id: experiment.id }), { experiment })
  })

  it('404: for an experiment that does not exist or belongs to another workspace', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    await makeFeature(other)
    for (const id of ['nobody', (await makeExperiment(other)).id]) {
      const error = await workspace.refused(get, { id }, 404)
      assert.equal(error, `No experiment has the id "${id}".`)
    }
  })
})
