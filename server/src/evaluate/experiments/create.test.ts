import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeExperiment, makeFeature, startTestApp } from '../../../testing/test-app.ts'

const { create } = operations.experiments
const { newWorkspace } = await startTestApp()

describe('experiments.create', () => {
  it('200: returns the experiment', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const { id, createdAt, ...experiment } = await makeExperiment(workspace)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
    assert.deepEqual(experiment, { name: 'Shorter', featureSlug: 'chat' })
    assert.notEqual((await makeExperiment(workspace)).id, id)
  })

  it('400: names the wrong field', async () => {
    const workspace = await newWorkspace()
    assert.match(await workspace.refused(create, { name: 'x' }, 400), /^featureSlug: is required$/)
    assert.match(await workspace.refused(create, { featureSlug: 'chat' }, 400), /^name: is required$/)
    assert.match(await workspace.refused(create, { featureSlug: 'chat', name: '' }, 400), /^name: /)
  })

  it('404: for a feature that does not exist', async () => {
    const error = await (await newWorkspace()).refused(create, { featureSlug: 'nobody', name: 'x' }, 404)
    assert.equal(error, 'No feature has the slug "nobody".')
  })
})
