import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import {
  makeLivePrompt,
  makePrompt,
  makeVersion,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { publish, get, list } = operations.prompts
const { newWorkspace } = await startTestApp()

async function withTwoVersions(): Promise<TestWorkspace> {
  const workspace = await newWorkspace()
  await makeLivePrompt(workspace, { text: 'one' })
  await makeVersion(workspace, { text: 'two', tags: ['staging'] })
  return workspace
}

describe('prompts.publish', () => {
  describe('201', () => {
    it('moves a tag to a version, which is served from then on', async () => {
      const workspace = await withTwoVersions()
      const { deploymentTag } = await workspace.ok(publish, {
        slug: 'greeting',
        newTag: 'production',
        version: '1.0.1',
      })
      assert.equal(deploymentTag.label, 'production')
      assert.ok(deploymentTag.id.length > 0)
      assert.equal((await workspace.ok(get, { slug: 'greeting' })).prompt.text, 'two')
    })

    it('moves a tag to the version that carries another one', async () => {
      const workspace = await withTwoVersions()
      await workspace.ok(publish, { slug: 'greeting', newTag: 'production', tag: 'staging' })
      assert.equal((await workspace.ok(get, { slug: 'greeting' })).prompt.version, '1.0.1')
      await workspace.ok(publish, { slug: 'greeting', newTag: 'newest', tag: 'latest' })
      assert.equal((await workspace.ok(get, { slug: 'greeting', tag: 'newest' })).prompt.version, '1.0.1')
    })

    it('uses the version if both are given, and treats "" as absent', async () => {
      const workspace = await withTwoVersions()
      const publishAndGetVersion = async (newTag: string, which: object) => {
        await workspace.ok(publish, { slug: 'greeting', newTag, ...which })
        return (await workspace.ok(get, { slug: 'greeting', tag: newTag })).prompt.version
      }
      assert.equal(await publishAndGetVersion('a', { version: '1.0.0', tag: 'staging' }), '1.0.0')
      assert.equal(await publishAndGetVersion('b', { version: '', tag: 'staging' }), '1.0.1')
      assert.equal(await publishAndGetVersion('c', { version: null, tag: 'staging' }), '1.0.1')
    })

    it('makes a draft live', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace)
      await makeVersion(workspace)
      assert.equal((await workspace.ok(list)).prompts[0]?.status, 'draft')
      await workspace.ok(publish, { slug: 'greeting', newTag: 'production', tag: 'latest' })
      assert.equal((await workspace.ok(list)).prompts[0]?.status, 'live')
    })
  })

  describe('400', () => {
    it('latest cannot be published, since the service maintains it', async () => {
      const input = { slug: 'greeting', newTag: 'latest', version: '1.0.0' }
      assert.match(
        await (await withTwoVersions()).refused(publish, input, 400),
        /^newTag: must not be "latest"/,
      )
    })

    it('needs a version or a tag, and a new tag', async () => {
      const workspace = await withTwoVersions()
      assert.match(
        await workspace.refused(publish, { slug: 'greeting', newTag: 'x' }, 400),
        /^version: is required/,
      )
      assert.match(await workspace.refused(publish, { slug: 'greeting', version: '1.0.0' }, 400), /^newTag: /)
      assert.match(
        await workspace.refused(publish, { slug: 'greeting', newTag: '', version: '1.0.0' }, 400),
        /^newTag: /,
      )
    })
  })

  describe('404', () => {
    it('the prompt, version or tag does not exist', async () => {
      const workspace = await withTwoVersions()
      const errorOf = (input: object) => workspace.refused(publish, { newTag: 'x', ...input }, 404)
      assert.match(await errorOf({ slug: 'nobody', version: '1.0.0' }), /No prompt has the slug "nobody"/)
      assert.match(await errorOf({ slug: 'greeting', version: '9.9.9' }), /no version "9\.9\.9"/)
      assert.match(await errorOf({ slug: 'greeting', tag: 'canary' }), /no version with the tag "canary"/)
    })
  })
})
