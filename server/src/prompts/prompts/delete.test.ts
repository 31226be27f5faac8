import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeLivePrompt, makeVersion, startTestApp } from '../../../testing/test-app.ts'

const { delete: remove, archive, get, list } = operations.prompts
const { newWorkspace } = await startTestApp()

describe('prompts.delete', () => {
  it('204: deletes an archived prompt with its versions, tags and rollouts, and frees its slug', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace, { version: '1.0.0' })
    await makeVersion(workspace, { version: '2.0.0' })
    const rollout = { promptSlug: 'greeting', candidateVersion: '2.0.0', share: 0.5 }
    await workspace.ok(operations.rollouts.create, rollout)
    await makeLivePrompt(workspace, { slug: 'other' }, { slug: 'other' })
    await workspace.ok(get, { slug: 'greeting' })
    await workspace.ok(archive, { slug: 'greeting' })
    await workspace.ok(remove, { slug: 'greeting' })
    await workspace.refused(get, { slug: 'greeting' }, 404)
    assert.deepEqual(
      (await workspace.ok(list)).prompts.map(({ slug }) => slug),
      ['other'],
    )
    await makeLivePrompt(workspace)
    assert.equal((await workspace.ok(get, { slug: 'greeting' })).prompt.text, 'Say hello.')
  })

  it('404: the prompt does not exist', async () => {
    await (await newWorkspace()).refused(remove, { slug: 'greeting' }, 404)
  })

  it('409: the prompt is not archived', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace)
    assert.match(await workspace.refused(remove, { slug: 'greeting' }, 409), /archive it first/)
    await workspace.ok(get, { slug: 'greeting' })
  })
})
