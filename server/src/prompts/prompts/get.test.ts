import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import {
  knownModel,
  makeLivePrompt,
  makePrompt,
  makeVersion,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { get, publish } = operations.prompts
const { newWorkspace } = await startTestApp()

/** The prompt `greeting`: 1.0.0 in production, 1.0.1 in staging, 1.0.2 with only the automatic tag. */
async function withVersions(): Promise<TestWorkspace> {
  const workspace = await newWorkspace()
  await makeLivePrompt(workspace, { text: 'one' })
  await makeVersion(workspace, { text: 'two', tags: ['staging'] })
  await makeVersion(workspace, { text: 'three' })
  return workspace
}

describe('prompts.get', () => {
  describe('200', () => {
    const rows: [request: object, version: string, tag: string, isFallback: boolean][] = [
      [{}, '1.0.0', 'production', false],
      [{ version: '1.0.0' }, '1.0.0', 'production', false],
      [{ version: '1.0.1' }, '1.0.1', '', false],
      [{ version: '1.0.2', tag: 'staging' }, '1.0.2', '', false],
      [{ version: '1.0.1', tag: 'staging' }, '1.0.1', 'staging', false],
      [{ tag: 'production' }, '1.0.0', 'production', false],
      [{ tag: 'staging' }, '1.0.1', 'staging', false],
      [{ tag: 'latest' }, '1.0.2', 'latest', false],
      [{ version: '', tag: '' }, '1.0.0', 'production', false],
      [{ version: '', tag: 'staging' }, '1.0.1', 'staging', false],
      [{ version: '9.9.9' }, '1.0.0', 'production', true],
      [{ version: '9.9.9', tag: 'staging' }, '1.0.0', 'production', true],
      [{ tag: 'canary' }, '1.0.0', 'production', true],
    ]
    it('serves the given version, else the given tag, else production, and reports a fallback', async () => {
      const workspace = await withVersions()
      for (const [input, version, tag, isFallback] of rows) {
        const { prompt, warning } = await workspace.ok(get, { slug: 'greeting', ...input })
        assert.deepEqual([prompt.version, prompt.tag], [version, tag], JSON.stringify(input))
        assert.equal(warning !== undefined, isFallback, JSON.stringify(input))
      }
    })

    it('reports which version was requested and which is served instead', async () => {
      const { warning } = await (await withVersions()).ok(get, { slug: 'greeting', version: '9.9.9' })
      assert.equal(
        warning,
        'The prompt "greeting" has no version "9.9.9"; version "1.0.0", which is in production, is served instead.',
      )
    })

    it('has every field that old clients check, with its default', async () => {
      const workspace = await newWorkspace()
      await makeLivePrompt(workspace, { text: '{{ raw }}' })
      assert.deepEqual(await workspace.ok(get, { slug: 'greeting' }), {
        prompt: {
          text: '{{ raw }}',
          systemText: '',
          version: '1.0.0',
          tag: 'production',
          slug: 'greeting',
          model: {
            provider: '',
            client: '',
            model: '',
            version: '',
            parameters: { temperature: 1, topP: 1, maxLength: 4096, responseFormat: 'text' },
          },
        },
      })
    })

    it('has every model parameter that was set, including 0', async () => {
      const workspace = await newWorkspace()
      const parameters = {
        temperature: 0,
        topP: 0,
        maxLength: 1,
        responseFormat: 'json_schema',
        frequencyPenalty: 0.5,
        presencePenalty: -0.5,
        topK: 3,
        jsonObject: { type: 'object' },
        tools: [{ name: 'look' }],
        toolChoice: 'auto',
        reasoningEffort: 'low',
        verbosity: 'high',
      }
      await makeLivePrompt(workspace, { systemText: 'Be kind.', model: { ...knownModel, parameters } })
      const { prompt } = await workspace.ok(get, { slug: 'greeting' })
      assert.deepEqual([prompt.model, prompt.systemText], [{ ...knownModel, parameters }, 'Be kind.'])
    })

    it('serves a version that is requested by name if there is none in production', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace)
      await makeVersion(workspace)
      assert.equal((await workspace.ok(get, { slug: 'greeting', version: '1.0.0' })).prompt.tag, '')
      assert.equal((await workspace.ok(get, { slug: 'greeting', tag: 'latest' })).prompt.tag, 'latest')
    })

    it('accepts a JSON Content-Type without a body', async () => {
      const headers = { 'content-type': 'application/json' }
      await (await withVersions()).ok(get, { slug: 'greeting' }, { headers })
    })

    it('ignores unknown query parameters', async () => {
      await (await withVersions()).ok(get, { slug: 'greeting', surprise: 'x' })
    })
  })

  describe('304', () => {
    it('is returned without a body while nothing has changed, and 200 after a publication', async () => {
      const workspace = await withVersions()
      const first = await workspace.call(get, { slug: 'greeting' })
      const etag = first.headers.etag ?? ''
      assert.match(etag, /^"[\w-]+"$/)
      for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await workspace.call(
          get,
          { slug: 'greeting' },
          { headers: { 'if-none-match': ifNoneMatch } },
        )
        assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag])
      }
      await workspace.ok(publish, { slug: 'greeting', newTag: 'production', version: '1.0.2' })
      const changed = await workspace.call(get, { slug: 'greeting' }, { headers: { 'if-none-match': etag } })
      assert.equal(changed.status, 200)
      assert.notEqual(changed.headers.etag, etag)
    })
  })

  describe('404', () => {
    it('the prompt does not exist, or belongs to another workspace', async () => {
      await withVersions()
      const error = await (await newWorkspace()).refused(get, { slug: 'greeting' }, 404)
      assert.equal(error, 'No prompt has the slug "greeting".')
    })

    it('no version of the prompt can be served', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace)
      assert.match(
        await workspace.refused(get, { slug: 'greeting' }, 404),
        /no version with the tag "production"/,
      )
      await makeVersion(workspace)
      await workspace.refused(get, { slug: 'greeting' }, 404)
      assert.match(
        await workspace.refused(get, { slug: 'greeting', version: '2.0.0' }, 404),
        /no version "2\.0\.0" and no version with the tag "production"/,
      )
    })

    it('the text is not a slug', async () => {
      await (await newWorkspace()).refused(get, { slug: 'Ünï cödé/..%' }, 404)
    })
  })

  describe('400', () => {
    it('the version is given twice', async () => {
      const workspace = await withVersions()
      const authorization = `Bearer ${workspace.key.secret}`
      const answer = await workspace.call(
        { ...get, path: '/prompts/greeting?version=1&version=2' },
        {},
        { headers: { authorization } },
      )
      assert.equal(answer.status, 400)
    })
  })
})
