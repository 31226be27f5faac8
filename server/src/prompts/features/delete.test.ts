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
  it('204: deletes a feature that nothing belongs to; its traces keep the slug', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const { id } = await recordTrace(workspace, { featureSlug: 'chat' })
    await workspace.ok(remove, { slug: 'chat' })
    assert.deepEqual(await workspace.ok(list), { features: [] })
    assert.equal((await workspace.ok(operations.traces.get, { id })).trace.featureSlug, 'chat')
    await workspace.refused(operations.monitor.trace, { featureSlug: 'chat' }, 404)
  })

  it('404: is a feature that is not there', async () => {
    await (await newWorkspace()).refused(remove, { slug: 'chat' }, 404)
  })

  it('400: is no slug', async () => {
    assert.match(await (await newWorkspace()).refused(remove, { slug: 'No Slug' }, 400), /^slug: /)
  })

  it('409: is a feature of prompts or experiments', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    await makePrompt(workspace, { featureSlug: 'chat' })
    await makeExperiment(workspace)
    const error = await workspace.refused(remove, { slug: 'chat' }, 409)
    assert.match(error, /1 prompts and 1 experiments/)
    assert.equal((await workspace.ok(list)).features.length, 1)
  })
})
