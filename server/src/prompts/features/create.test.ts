import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeFeature, recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { create } = operations.features
const { newWorkspace } = await startTestApp()

describe('features.create', () => {
  it('201: returns the feature, with a description only if one was given', async () => {
    const workspace = await newWorkspace()
    const { createdAt, ...feature } = await makeFeature(workspace, { description: 'Talks.' })
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
    assert.deepEqual(feature, { slug: 'chat', name: 'Chat', description: 'Talks.' })
    assert.ok(!('description' in (await makeFeature(workspace, { slug: 'bare', description: null }))))
  })

  it('201: traces may use it from then on, even after one was refused', async () => {
    const workspace = await newWorkspace()
    await workspace.refused(operations.monitor.trace, { featureSlug: 'chat' }, 404)
    await makeFeature(workspace)
    assert.equal((await recordTrace(workspace, { featureSlug: 'chat' })).trace.featureSlug, 'chat')
  })

  it('400: names the invalid field', async () => {
    const workspace = await newWorkspace()
    const refusals: [path: string, fields: object][] = [
      ['slug', { slug: 'No Slug' }],
      ['slug', { slug: 'x'.repeat(129) }],
      ['name', { name: undefined }],
      ['description', { description: [] }],
    ]
    for (const [path, fields] of refusals) {
      const error = await workspace.refused(create, { slug: 'chat', name: 'Chat', ...fields }, 400)
      assert.ok(error.startsWith(`${path}: `), error)
    }
  })

  it('409: another feature has the slug', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const error = await workspace.refused(create, { slug: 'chat', name: 'Again' }, 409)
    assert.equal(error, 'There is already a feature "chat".')
  })
})
