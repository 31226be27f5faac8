import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeFeature, makePrompt, startTestApp } from '../../../testing/test-app.ts'

const { create } = operations.prompts
const { newWorkspace } = await startTestApp()

describe('prompts.create', () => {
  describe('201', () => {
    it('answers the summary of a draft without versions', async () => {
      const workspace = await newWorkspace()
      await makeFeature(workspace)
      const prompt = await makePrompt(workspace, { description: 'Says hello.', featureSlug: 'chat' })
      assert.deepEqual(prompt, {
        slug: 'greeting',
        name: 'Greeting',
        status: 'draft',
        description: 'Says hello.',
        availableVersions: [],
        availableTags: [],
        featureSlug: 'chat',
      })
    })

    it('takes null for what may be absent, and every legal slug', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace, { description: null, featureSlug: null })
      for (const slug of ['0', 'a.b_c-d', 'x'.repeat(128)])
        assert.equal((await makePrompt(workspace, { slug })).slug, slug)
    })

    it('takes a slug that another workspace has', async () => {
      await makePrompt(await newWorkspace())
      await makePrompt(await newWorkspace())
    })
  })

  describe('400', () => {
    it('names the field that is wrong', async () => {
      const workspace = await newWorkspace()
      const refusals: [path: string, fields: object][] = [
        ...['', 'A', '.a', '-a', 'a b', 'ä', 'x'.repeat(129), 7, null].map((slug): [string, object] => [
          'slug',
          { slug },
        ]),
        ['name', { name: '' }],
        ['name', { name: undefined }],
        ['description', { description: 5 }],
        ['featureSlug', { featureSlug: [] }],
      ]
      for (const [path, fields] of refusals) {
        const error = await workspace.refused(create, { slug: 'a', name: 'A', ...fields }, 400)
        assert.ok(error.startsWith(`${path}: `), `${JSON.stringify(fields)}: ${error}`)
      }
    })
  })

  describe('404', () => {
    it('is a feature that does not exist', async () => {
      const input = { slug: 'a', name: 'A', featureSlug: 'nobody' }
      const error = await (await newWorkspace()).refused(create, input, 404)
      assert.equal(error, 'No feature has the slug "nobody".')
    })
  })

  describe('409', () => {
    it('is a slug that a prompt has already, archived ones included', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace)
      await workspace.ok(operations.prompts.archive, { slug: 'greeting' })
      const error = await workspace.refused(create, { slug: 'greeting', name: 'Again' }, 409)
      assert.equal(error, 'There is already a prompt "greeting".')
    })
  })
})
