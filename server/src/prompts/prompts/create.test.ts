import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeFeature, makePrompt, startTestApp } from '../../../testing/test-app.ts'

const { create } = operations.prompts
const { newWorkspace } = await startTestApp()

describe('prompts.create', () => {
  describe('201', () => {
    it('returns the summary of a draft without versions', async () => {
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

    it('accepts null for optional fields, and every valid slug', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace, { description: null, featureSlug: null })
      for (const slug of ['0', 'a.b_c-d', 'x'.repeat(128)])
        assert.equal((await makePrompt(workspace, { slug })).slug, slug)
    })

    it('accepts a slug that another workspace uses', async () => {
      await makePrompt(await newWorkspace())
      await makePrompt(await newWorkspace())
    })
  })

  describe('400', () => {
    it('names the invalid field', async () => {
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
    it('the feature does not exist', async () => {
      const input = { slug: 'a', name: 'A', featureSlug: 'nobody' }
      const error = await (await newWorkspace()).refused(create, input, 404)
      assert.equal(error, 'No feature has the slug "nobody".')
    })
  })

  describe('409', () => {
    it('another prompt has the slug, archived ones included', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace)
      await workspace.ok(operations.prompts.archive, { slug: 'greeting' })
      const error = await workspace.refused(create, { slug: 'greeting', name: 'Again' }, 409)
      assert.equal(error, 'There is already a prompt "greeting".')
    })
  })
})
