import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makePrompt, makeVersion, startTestApp } from '../../../testing/test-app.ts'

const { get } = operations.versions
const { newWorkspace } = await startTestApp()

describe('versions.get', () => {
  it('200: returns the version with its tags', async () => {
    const workspace = await newWorkspace()
    await makePrompt(workspace)
    const createdVersion = await makeVersion(workspace, { tags: ['production'], message: 'First.' })
    await makeVersion(workspace)
    const { version } = await workspace.ok(get, { slug: 'greeting', version: '1.0.0' })
    assert.deepEqual(version, { ...createdVersion, tags: ['production'] })
  })

  it('404: the prompt or version does not exist', async () => {
    const workspace = await newWorkspace()
    await makePrompt(workspace)
    const missing = await workspace.refused(get, { slug: 'greeting', version: '9' }, 404)
    assert.equal(missing, 'The prompt "greeting" has no version "9".')
    await workspace.refused(get, { slug: 'nobody', version: '9' }, 404)
  })
})
