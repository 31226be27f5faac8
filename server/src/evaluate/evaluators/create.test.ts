import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { evaluatorKinds, operations } from '@plumbline/contract'
import { makeEvaluator, startTestApp } from '../../../testing/test-app.ts'

const { create } = operations.evaluators
const { newWorkspace } = await startTestApp()

type Kind = (typeof evaluatorKinds)[number]

describe('evaluators.create', () => {
  it('201: returns the evaluator, which samples one trace in ten by default', async () => {
    const workspace = await newWorkspace()
    const { createdAt, ...evaluator } = await makeEvaluator(workspace)
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
    assert.deepEqual(evaluator, {
      slug: 'polite',
      name: 'Polite',
      kind: 'contains',
      config: { value: 'please' },
      sampleRate: 0.1,
      liveRule: null,
      version: 1,
    })
    for (const sampleRate of [0, 0.75, 1])
      assert.equal(
        (await makeEvaluator(workspace, { slug: `s${sampleRate * 4}`, sampleRate })).sampleRate,
        sampleRate,
      )
    assert.equal((await makeEvaluator(workspace, { slug: 'null', sampleRate: null })).sampleRate, 0.1)
  })

  it('201: accepts every kind', async () => {
    const workspace = await newWorkspace()
    const configs: Partial<Record<Kind, object>> = {
      code: { source: 'export default ({ output }) => output !== null' },
      regex: { pattern: '^a' },
      json_schema: { schema: {} },
      range: { max: 1 },
      length: { max: 1 },
      latency: { maxMs: 1 },
      cost: { maxUsd: 1 },
      language: { language: 'en' },
    }
    const { connection } = await workspace.ok(operations.connections.create, {
      name: 'Ours',
      provider: 'mistral',
    })
    const modelRef = { connectionId: connection.id, model: 'any' }
    configs.llm = { ...modelRef, template: 'Is {{ output }} right?', verdict: { type: 'boolean' } }
    configs.embedding_similarity = modelRef
    for (const kind of evaluatorKinds) {
      const config = configs[kind] ?? { value: 'please' }
      assert.equal((await makeEvaluator(workspace, { slug: kind, kind, config })).kind, kind)
    }
  })

  it('400: names the wrong field', async () => {
    const workspace = await newWorkspace()
    const refusals: [path: string, fields: object][] = [
      ['slug', { slug: 'No Slug' }],
      ['name', { name: '' }],
      ['kind', { kind: 'magic' }],
      ['config', { config: undefined }],
      ['config', { config: [] }],
      ['sampleRate', { sampleRate: 1.1 }],
      ['sampleRate', { sampleRate: -1 }],
      ['sampleRate', { sampleRate: '0.5' }],
    ]
    for (const [path, fields] of refusals) {
      const input = { slug: 'polite', name: 'Polite', kind: 'human', config: {}, ...fields }
      const error = await workspace.refused(create, input, 400)
      assert.ok(error.startsWith(`${path}: `), `${JSON.stringify(fields)}: ${error}`)
    }
  })

  it('400: names the problem with a rule or with code', async () => {
    const workspace = await newWorkspace()
    const refusals: [kind: Kind, config: object, error: RegExp][] = [
      ['regex', { pattern: '(' }, /^config\.pattern: must be a regular expression/],
      ['contains', {}, /^config\.value: must be a text/],
      ['code', {}, /^config\.source: must be a text/],
      ['code', { source: 'let a\nfoo(;' }, /^config\.source: must be valid code\. Line 2: unexpected/],
      ['code', { source: '1' }, /^config\.source: .* `export default`/],
      ['code', { source: 'export default () => 1', timeoutMs: 60_000 }, /^config\.timeoutMs: /],
    ]
    for (const [kind, config, error] of refusals) {
      const input = { slug: 'judge', name: 'Judge', kind, config }
      assert.match(await workspace.refused(create, input, 400), error)
    }
  })

  it('400: names the problem with a model judge', async () => {
    const workspace = await newWorkspace()
    const connect = async (provider: string) =>
      (await workspace.ok(operations.connections.create, { name: provider, provider })).connection.id
    const connectionId = await connect('anthropic')
    const whole = {
      connectionId,
      model: 'any',
      template: 'Is {{ output }} right?',
      verdict: { type: 'boolean' },
    }
    const other = (await (
      await newWorkspace()
    ).ok(operations.connections.create, {
      name: 'Theirs',
      provider: 'mistral',
    })) as { connection: { id: string } }
    const refusals: [kind: Kind, config: object, error: RegExp][] = [
      ['llm', { ...whole, connectionId: undefined }, /^config\.connectionId: is required/],
      ['llm', { ...whole, connectionId: 'nobody' }, /^config\.connectionId: must be the id of a connection/],
      ['llm', { ...whole, connectionId: other.connection.id }, /^config\.connectionId: must be the id/],
      ['llm', { ...whole, model: '' }, /^config\.model: /],
      ['llm', { ...whole, template: '{% if %}' }, /^config\.template: must be a template\. /],
      ['llm', { ...whole, systemTemplate: '{{' }, /^config\.systemTemplate: must be a template\. /],
      [
        'llm',
        { ...whole, template: 'Is {{ answer }} right?' },
        /^config\.template: uses the unknown variable "answer"; /,
      ],
      ['llm', { ...whole, verdict: { type: 'numeric', min: 2, max: 1 } }, /^config\.verdict\.max: /],
      ['embedding_similarity', { model: 'any' }, /^config\.connectionId: is required/],
      ['embedding_similarity', { ...whole, threshold: 2 }, /^config\.threshold: /],
      ['embedding_similarity', whole, /^config\.connectionId: .* which anthropic does not$/],
    ]
    for (const [kind, config, error] of refusals) {
      const input = { slug: 'judge', name: 'Judge', kind, config }
      assert.match(await workspace.refused(create, input, 400), error)
    }
    await makeEvaluator(workspace, { slug: 'judge', kind: 'llm', config: whole })
    const changed = { slug: 'judge', config: { ...whole, connectionId: 'nobody' } }
    const error = await workspace.refused(operations.evaluators.update, changed, 400)
    assert.match(error, /^config\.connectionId: /)
  })

  it('409: for a slug that is in use', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    const input = { slug: 'polite', name: 'Again', kind: 'human', config: {} }
    assert.equal(await workspace.refused(create, input, 409), 'There is already an evaluator "polite".')
  })
})
