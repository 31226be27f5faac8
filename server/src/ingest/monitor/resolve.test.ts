import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import {
  knownModel,
  makeEvaluator,
  makeLivePrompt,
  makePrompt,
  makeVersion,
  recordGeneration,
  recordTrace,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { newWorkspace } = await startTestApp()

/** The prompt `greeting`: 1.0.0 in production, 1.0.1 in staging, 1.0.2 without one of these tags. */
async function withVersions(): Promise<TestWorkspace> {
  const workspace = await newWorkspace()
  await makeLivePrompt(workspace, { text: 'one', model: knownModel })
  await makeVersion(workspace, { text: 'two', tags: ['staging'] })
  await makeVersion(workspace, { text: 'three' })
  return workspace
}

describe('the prompt of a generation', () => {
  const rows: [request: object, version: string, warns: RegExp | undefined][] = [
    [{}, '1.0.0', undefined],
    [{ version: '1.0.1' }, '1.0.1', undefined],
    [{ version: '1.0.2', tag: 'staging' }, '1.0.2', undefined],
    [{ tag: 'staging' }, '1.0.1', undefined],
    [{ tag: 'latest' }, '1.0.2', undefined],
    [{ version: '', tag: '' }, '1.0.0', undefined],
    [{ version: null, tag: null }, '1.0.0', undefined],
    [{ version: '', tag: 'staging' }, '1.0.1', undefined],
    [{ version: '9.9.9' }, '1.0.0', /no version "9\.9\.9"; its production version "1\.0\.0" was used/],
    [{ version: '9.9.9', tag: 'staging' }, '1.0.0', /no version "9\.9\.9"/],
    [{ tag: 'canary' }, '1.0.0', /no version with the tag "canary"/],
  ]
  it('is the referenced version, else the version of the tag, else production; a fallback gives a warning', async () => {
    const workspace = await withVersions()
    for (const [reference, served, warns] of rows) {
      const generation = { prompt: { slug: 'greeting', ...reference }, input: 'x' }
      const { log, warning } = await recordGeneration(workspace, generation)
      assert.equal(log.promptVersion, served, JSON.stringify(reference))
      if (warns === undefined) assert.equal(warning, undefined, JSON.stringify(reference))
      else assert.match(warning ?? '', warns)
    }
  })

  it('gives a warning that names its log if it cannot be resolved, and the log is kept', async () => {
    const workspace = await newWorkspace()
    await makePrompt(workspace, { slug: 'empty' })
    await makePrompt(workspace, { slug: 'draft' })
    await makeVersion(workspace, { slug: 'draft' })
    const warnings: [prompt: object, words: RegExp][] = [
      [{ slug: 'nobody' }, /^logs\[0\]\.prompt: No prompt has the slug "nobody"\.$/],
      [{ slug: 'empty' }, /^logs\[0\]\.prompt: .*"empty" has no version in production\.$/],
      [{ slug: 'draft' }, /"draft" has no version in production/],
      [{ slug: 'draft', version: '9.9.9' }, /no version "9\.9\.9" and no version in production/],
      [{ slug: 'draft', tag: 'beta' }, /no version with the tag "beta" and no version in production/],
    ]
    for (const [prompt, words] of warnings) {
      const { log, warning } = await recordGeneration(workspace, { prompt, output: 'kept' })
      assert.match(warning ?? '', words)
      assert.deepEqual([log.output, log.promptVersion, log.prompt], ['kept', null, prompt])
    }
    const { log } = await recordGeneration(workspace, { prompt: { slug: 'draft', version: '1.0.0' } })
    assert.equal(log.promptVersion, '1.0.0')
  })

  // clients, finding 2
  it('provides its model and provider where the metadata does not name those of the call', async () => {
    const workspace = await withVersions()
    const metadata = { model: 'other', provider: 'else' }
    const prompt = { slug: 'greeting' }
    const modelOf = async (metadata: object) => {
      const { log } = await recordGeneration(workspace, { prompt, metadata })
      return [log.model, log.provider]
    }
    assert.deepEqual(await modelOf({}), ['gpt-4o', 'open-ai'])
    assert.deepEqual(await modelOf({ model: 'gpt-4o' }), ['gpt-4o', 'open-ai'])
    assert.deepEqual(await modelOf(metadata), ['other', 'else'])
    assert.deepEqual(await modelOf({ model: 'other' }), ['other', null])
    const loose = (await recordGeneration(workspace, { metadata })).log
    assert.deepEqual([loose.model, loose.provider, loose.prompt], ['other', 'else', null])
  })

  it('renders the input if it is absent, and never replaces one that was sent', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace, { text: '{% if loud %}HELLO{% endif %} {{ name }} {{ missing }}' })
    const prompt = { slug: 'greeting' }
    const variables = [{ label: 'name', value: 'Ada' }, { label: 'loud', value: true }, 'bare']
    const { log } = await recordGeneration(workspace, { prompt, variables })
    assert.deepEqual(log.input, [{ role: 'user', content: 'HELLO Ada ' }])
    assert.deepEqual(log.variables, [variables[0], variables[1], { label: 'bare' }])
    const recorded = (await recordGeneration(workspace, { prompt, variables, input: 'as sent' })).log
    assert.equal(recorded.input, 'as sent')
  })

  it('leaves the input empty if it cannot be rendered, and rejects nothing', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace, { text: '{% for digit in 5 %}{{ digit }}{% endfor %}' })
    const { log } = await recordGeneration(workspace, { prompt: { slug: 'greeting' }, output: 'kept' })
    assert.deepEqual([log.input, log.output, log.promptVersion], [null, 'kept', '1.0.0'])
  })

  it('keeps variables of every JSON type', async () => {
    const values = ['text', 7, 1.5, true, false, null, [1, ['a']], { a: { b: null } }]
    const variables = values.map((value, index) => ({ label: `v${index}`, value }))
    const { log } = await recordGeneration(await newWorkspace(), { variables })
    assert.deepEqual(log.variables, variables)
  })

  it('resolves to a new version as soon as the response to publishing has arrived', async () => {
    const workspace = await withVersions()
    const servedNow = async () =>
      (await recordGeneration(workspace, { prompt: { slug: 'greeting' }, input: 'x' })).log.promptVersion
    assert.equal(await servedNow(), '1.0.0')
    await workspace.ok(operations.prompts.publish, {
      slug: 'greeting',
      newTag: 'production',
      version: '1.0.2',
    })
    assert.equal(await servedNow(), '1.0.2')
  })
})

describe('the sampling of a trace', () => {
  it('uses its own rate, else the highest rate of its evaluators, wherever they are referred to', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace, { slug: 'tenth' })
    await makeEvaluator(workspace, { slug: 'always', sampleRate: 1 })
    await makeEvaluator(workspace, { slug: 'never', sampleRate: 0 })
    const rateOf = async (body: object) => {
      const { trace, warning } = await recordTrace(workspace, body)
      assert.equal(warning, undefined)
      return trace.sampleRate
    }
    const log = (slug: string) => ({ id: 'a', type: 'span', evaluators: [{ slug }] })
    assert.equal(await rateOf({}), null)
    assert.equal(await rateOf({ evaluators: [{ slug: 'tenth' }] }), 0.1)
    assert.equal(await rateOf({ evaluators: [{ slug: 'tenth' }], logs: [log('always')] }), 1)
    assert.equal(await rateOf({ evaluators: [{ slug: 'never' }] }), 0)
    const evaluationConfig = { sampleRate: 0.5 }
    assert.equal(await rateOf({ evaluators: [{ slug: 'always' }], evaluationConfig }), 0.5)
    for (const nothing of [null, {}, { sampleRate: null }])
      assert.equal(await rateOf({ evaluators: [{ slug: 'tenth' }], evaluationConfig: nothing }), 0.1)
  })

  it('samples none at 0 and all at 1', async () => {
    const workspace = await newWorkspace()
    for (const sampleRate of [0, 1]) {
      for (let index = 0; index < 5; index++) {
        const { trace } = await recordTrace(workspace, { evaluationConfig: { sampleRate } })
        assert.equal(trace.sampled, sampleRate === 1)
      }
    }
  })
})
