import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeLivePrompt, makePrompt, makeVersion, startTestApp } from '../../../testing/test-app.ts'

const { describe: describePrompt } = operations.prompts
const { newWorkspace } = await startTestApp()

describe('prompts.describe', () => {
  describe('200', () => {
    it('adds the version, tag and variables of what would be served to the summary', async () => {
      const workspace = await newWorkspace()
      const text = 'Hello {{ name }}, {% for step in steps %}{{ step }}{% endfor %}'
      await makeLivePrompt(workspace, { text, systemText: '{% if formal %}Sir{% endif %}' })
      const { prompt, warning } = await workspace.ok(describePrompt, { slug: 'greeting' })
      assert.equal(warning, undefined)
      assert.deepEqual(
        [prompt.slug, prompt.status, prompt.version, prompt.tag],
        ['greeting', 'live', '1.0.0', 'production'],
      )
      const types = Object.fromEntries(prompt.variables.map(({ label, type }) => [label, type]))
      assert.deepEqual(types, { formal: 'boolean', name: 'string', steps: 'array' })
    })

    it('describes the requested version or tag, and reports a fallback', async () => {
      const workspace = await newWorkspace()
      await makeLivePrompt(workspace, { text: '{{ one }}' })
      await makeVersion(workspace, { text: '{{ two }}', tags: ['staging'] })
      const labels = async (input: object) => {
        const { prompt, warning } = await workspace.ok(describePrompt, { slug: 'greeting', ...input })
        return [prompt.variables.map(({ label }) => label).join(), warning !== undefined]
      }
      assert.deepEqual(await labels({ tag: 'staging' }), ['two', false])
      assert.deepEqual(await labels({ version: '1.0.1' }), ['two', false])
      assert.deepEqual(await labels({ version: '7' }), ['one', true])
    })

    it('has no version and no variables if nothing can be served', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace)
      const { prompt } = await workspace.ok(describePrompt, { slug: 'greeting' })
      assert.deepEqual([prompt.version, prompt.tag, prompt.variables], ['', '', []])
    })
  })

  describe('400', () => {
    it('the version is given twice', async () => {
      const twice = { ...describePrompt, path: '/prompts/greeting/describe?version=1&version=2' } as const
      assert.match(await (await newWorkspace()).refused(twice, {}, 400), /^version: /)
    })
  })

  describe('404', () => {
    it('the prompt does not exist', async () => {
      const error = await (await newWorkspace()).refused(describePrompt, { slug: 'nobody' }, 404)
      assert.equal(error, 'No prompt has the slug "nobody".')
    })
  })
})
