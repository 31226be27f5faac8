import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import {
  knownModel,
  makeLivePrompt,
  makePrompt,
  makeVersion,
  startTestApp,
} from '../../../testing/test-app.ts'

const { create } = operations.versions
const { newWorkspace } = await startTestApp()

describe('versions.create', () => {
  describe('201', () => {
    it('returns the version with its tags, including latest', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace)
      const { createdAt, tags, ...version } = await makeVersion(workspace, {
        text: 'Hello {{ name }}.',
        systemText: 'Be kind.',
        model: knownModel,
        tags: ['production', 'staging'],
        message: 'First.',
      })
      assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
      assert.deepEqual(tags.toSorted(), ['latest', 'production', 'staging'])
      assert.deepEqual(version, {
        version: '1.0.0',
        text: 'Hello {{ name }}.',
        systemText: 'Be kind.',
        model: {
          ...knownModel,
          parameters: { temperature: 1, topP: 1, maxLength: 4096, responseFormat: 'text' },
        },
        message: 'First.',
        createdBy: workspace.key.id,
        createdByName: 'Test',
      })
    })

    it('proposes the next patch of the newest semantic version, and accepts any other valid name', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace)
      const makeNumber = async (version?: string) => (await makeVersion(workspace, { version })).version
      assert.equal(await makeNumber(), '1.0.0')
      assert.equal(await makeNumber(), '1.0.1')
      assert.equal(await makeNumber('1.4.9'), '1.4.9')
      assert.equal(await makeNumber(), '1.4.10')
      assert.equal(await makeNumber('summer-2025/β'), 'summer-2025/β')
      assert.equal(await makeNumber(), '1.4.11')
      assert.equal(await makeNumber('1.2.0'), '1.2.0')
      assert.equal(await makeNumber(), '1.4.12')
    })

    it('moves the given tags from the versions that had them, and always latest', async () => {
      const workspace = await newWorkspace()
      await makeLivePrompt(workspace)
      await makeVersion(workspace, { tags: ['production'] })
      await makeVersion(workspace, { version: '0.0.1' })
      const { versions } = await workspace.ok(operations.versions.list, { slug: 'greeting' })
      assert.deepEqual(
        versions.map(({ version, tags }) => [version, tags]),
        [
          ['0.0.1', ['latest']],
          ['1.0.1', ['production']],
          ['1.0.0', []],
        ],
      )
    })

    it('accepts an empty text, and null for optional fields', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace)
      const nulls = { systemText: null, model: null, version: null, tags: null, message: null }
      assert.equal((await makeVersion(workspace, { text: '', ...nulls })).text, '')
      await makeVersion(workspace, { model: { provider: null, parameters: null } })
    })

    it('gives concurrently created versions different names', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace)
      const createdVersions = await Promise.all(Array.from({ length: 8 }, () => makeVersion(workspace)))
      assert.equal(new Set(createdVersions.map(({ version }) => version)).size, 8)
    })
  })

  describe('400', () => {
    it('reports why a template can never be rendered, and where', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace)
      const say = (content: string) => ({
        text: undefined,
        messages: [{ placeholder: 'history' }, { role: 'user', content }],
      })
      const refusals: [path: string, fields: object, reason: RegExp][] = [
        ['text', { text: '{% if' }, /must be a template\. The template cannot be read: /],
        ['text', { text: '{% include tone %}' }, /must be a template\. The template cannot be read: /],
        [
          'systemText',
          { systemText: '{{ name | nosuchfilter }}' },
          /There is no filter `nosuchfilter` \(line 1\); there are abs, /,
        ],
        [
          'text',
          { text: '{% if name is nosuchtest %}{% endif %}' },
          /There is no test `nosuchtest` \(line 1\); there are boolean, /,
        ],
        ['messages[1].content', say('{% for x in %}'), /must be a template/],
      ]
      for (const [path, fields, reason] of refusals) {
        const error = await workspace.refused(create, { slug: 'greeting', text: 'x', ...fields }, 400)
        assert.ok(error.startsWith(`${path}: `), error)
        assert.match(error, reason)
      }
      const { versions } = await workspace.ok(operations.versions.list, { slug: 'greeting' })
      assert.deepEqual(versions, [])
      await makeVersion(
        workspace,
        say('{% include "tone" %} {% raw %}{{ #if }}{% endraw %} {{ name.first | upper }}'),
      )
    })

    it('names the invalid field, and latest among the tags', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace)
      const refusals: [path: string, fields: object][] = [
        ['text', { text: undefined }],
        ['text', { text: null }],
        ['systemText', { systemText: 5 }],
        ['version', { version: '' }],
        ['version', { version: 'a b' }],
        ['version', { version: 'x'.repeat(129) }],
        ['tags', { tags: 'production' }],
        ['tags[1]', { tags: ['a', 'latest'] }],
        ['tags[0]', { tags: [''] }],
        ['message', { message: {} }],
        ['model', { model: 'gpt-4o' }],
        ['model.parameters.temperature', { model: { parameters: { temperature: 'hot' } } }],
        ['model.parameters.responseFormat', { model: { parameters: { responseFormat: 'xml' } } }],
      ]
      for (const [path, fields] of refusals) {
        const error = await workspace.refused(create, { slug: 'greeting', text: 'x', ...fields }, 400)
        assert.ok(error.startsWith(`${path}: `), `${JSON.stringify(fields)}: ${error}`)
      }
    })
  })

  describe('404', () => {
    it('the prompt does not exist', async () => {
      await (await newWorkspace()).refused(create, { slug: 'nobody', text: 'x' }, 404)
    })
  })

  describe('409', () => {
    it('the prompt already has the version', async () => {
      const workspace = await newWorkspace()
      await makeLivePrompt(workspace)
      const error = await workspace.refused(create, { slug: 'greeting', text: 'x', version: '1.0.0' }, 409)
      assert.equal(error, 'There is already a prompt version "greeting 1.0.0".')
    })
  })
})
