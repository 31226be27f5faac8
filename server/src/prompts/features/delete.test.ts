import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import {
  makeExperiment,
  makeFeature,
  makePrompt,
  recordTrace,
  startTestApp,
} from '../../../testing/test-app.ts'

const { delete: remove, list } = operations.features
const { newWorkspace } = await startTestApp()

describe('features.delete', () => {
  it('204: deletes an unused feature; its traces keep the slug', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const { id } = await recordTrace(workspace, { featureSlug: 'chat' })
    await workspace.ok(remove, { slug: 'chat' })
    assert.deepEqual(await workspace.ok(list), { features: [] })
    assert.equal((await workspace.ok(operations.traces.get, { id })).trace.featureSlug, 'chat')
    await workspace.refused(operations.monitor.trace, { featureSlug: 'chat' }, 404)
  })

  it('404: the feature does not exist', async () => {
    await (await newWorkspace()).refused(remove, { slug: 'chat' }, 404)
  })

  it('400: the slug is invalid', async () => {
    assert.match(await (await newWorkspace()).refused(remove, { slug: 'No Slug' }, 400), /^slug: /)
  })

  it('409: the feature has prompts or experiments', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    await makePrompt(workspace, { featureSlug: 'chat' })
    await makeExperiment(workspace)
    const error = await workspace.refused(remove, { slug: 'chat' }, 409)
    assert.match(error, /1 prompts and 1 experiments/)
    assert.equal((await workspace.ok(list)).features.length, 1)
  })
})
