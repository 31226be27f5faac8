// One control plane is enough: evaluators have tests of their own on both.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startModelServer } from '../../../../fixtures/model-server/server.ts'
import { makeEvaluator, makeFeature, recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { get, update, delete: remove, test, list } = operations.evaluators
const models = await startModelServer()
after(() => models.close())
const { app, newWorkspace } = await startTestApp({
  settings: { PLUMBLINE_PRIVATE_MODEL_URLS: 'true' },
})

describe('evaluators.get', () => {
  it('200: returns the evaluator, in its first version', async () => {
    const workspace = await newWorkspace()
    const createdEvaluator = await makeEvaluator(workspace)
    assert.equal(createdEvaluator.version, 1)
    assert.deepEqual((await workspace.ok(get, { slug: 'polite' })).evaluator, createdEvaluator)
  })

  it('404: for an evaluator that does not exist', async () => {
    const error = await (await newWorkspace()).refused(get, { slug: 'nobody' }, 404)
    assert.equal(error, 'No evaluator has the slug "nobody".')
  })
})

describe('evaluators.update', () => {
  it('200: makes a new version if its kind or configuration changes, and keeps the version if only its name does', async () => {
    const workspace = await newWorkspace()
    const createdEvaluator = await makeEvaluator(workspace)
    const renamed = await workspace.ok(update, { slug: 'polite', name: 'Kind', sampleRate: 1 })
    assert.deepEqual(renamed.evaluator, { ...createdEvaluator, name: 'Kind', sampleRate: 1 })
    const changed = await workspace.ok(update, { slug: 'polite', config: { value: 'thanks' } })
    assert.deepEqual(changed.evaluator, { ...renamed.evaluator, config: { value: 'thanks' }, version: 2 })
    const other = await workspace.ok(update, { slug: 'polite', kind: 'regex', config: { pattern: 'x' } })
    assert.deepEqual([other.evaluator.kind, other.evaluator.version], ['regex', 3])
  })

  it('400: names the wrong field', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    assert.match(await workspace.refused(update, { slug: 'polite', sampleRate: 2 }, 400), /^sampleRate: /)
    assert.match(await workspace.refused(update, { slug: 'polite', kind: 'mood' }, 400), /^kind: /)
    assert.match(await workspace.refused(update, { slug: 'polite', config: {} }, 400), /^config\.value: /)
    assert.match(await workspace.refused(update, { slug: 'polite', kind: 'code' }, 400), /^config\.source: /)
  })

  it('404: for an evaluator that does not exist', async () => {
    const workspace = await newWorkspace()
    await workspace.refused(update, { slug: 'nobody', name: 'x' }, 404)
    await workspace.refused(update, { slug: 'nobody', config: {} }, 404)
  })
})

describe('evaluators.delete', () => {
  it('204: deletes it with its versions; 404 from then on', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    await workspace.ok(update, { slug: 'polite', config: { value: 'x' } })
    await workspace.ok(remove, { slug: 'polite' })
    assert.deepEqual(await workspace.ok(list), { evaluators: [] })
    await workspace.refused(remove, { slug: 'polite' }, 404)
  })
})

describe('evaluators.test', () => {
  const polite = { kind: 'contains', config: { value: 'please' } }

  it('200: returns the verdicts of a rule on the named traces, and stores nothing', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace, { output: 'Yes, please.' })
    const { id: rude } = await recordTrace(workspace, { output: 'No.' })
    const { results } = await workspace.ok(test, { ...polite, traceIds: [id, rude] })
    assert.deepEqual(results, [
      { traceId: id, value: true, comment: 'It contains "please".' },
      { traceId: rude, value: false, comment: 'It does not contain "please".' },
    ])
    assert.deepEqual((await workspace.ok(operations.traces.get, { id })).trace.scores, [])
  })

  it('200: uses the latest traces when none is named, optionally of one feature', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const { id } = await recordTrace(workspace, { output: 'please', featureSlug: 'chat' })
    const { id: other } = await recordTrace(workspace)
    await app.flush()
    const all = await workspace.ok(test, polite)
    assert.deepEqual(all.results.map(({ traceId }) => traceId).toSorted(), [id, other].toSorted())
    assert.equal(all.results.find(({ traceId }) => traceId === other)?.value, null)
    const ofFeature = await workspace.ok(test, { ...polite, featureSlug: 'chat' })
    assert.deepEqual(
      ofFeature.results.map(({ traceId }) => traceId),
      [id],
    )
  })

  it('200: returns the verdicts of code, or the reason if there is none', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace, { output: 'Yes, please.', metadata: { tier: 'gold' } })
    const source =
      'export default ({ output, metadata }) => ({ value: metadata.tier, comment: output.slice(0, 3) })'
    const tried = { kind: 'code', config: { source }, traceIds: [id] }
    const { results } = await workspace.ok(test, tried)
    assert.deepEqual(results, [{ traceId: id, value: 'gold', comment: 'Yes' }])
    const { id: bare } = await recordTrace(workspace, { output: 'Yes.' })
    const failed = await workspace.ok(test, { ...tried, traceIds: [bare] })
    assert.equal(failed.results[0]?.value, null)
    assert.match(failed.results[0]?.comment ?? '', /^Line 1: TypeError: /)
  })

  it('200: calls a model, and returns the cost, or the problem instead of a verdict', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace, { output: 'Yes.' })
    const { connection } = await workspace.ok(operations.connections.create, {
      name: 'Ours',
      provider: 'openai-compatible',
      apiKey: 'any',
      baseUrl: models.url,
    })
    const ask = async (fields: object) => {
      const config = {
        connectionId: connection.id,
        model: 'gpt-4o',
        template: 'Is {{ output }} polite?',
        verdict: { type: 'categorical', choices: ['polite', 'rude'] },
        ...fields,
      }
      const { results } = await workspace.ok(test, { kind: 'llm', config, traceIds: [id] })
      return results[0]!
    }
    const judged = await ask({})
    assert.ok(['polite', 'rude'].includes(String(judged.value)) && judged.comment !== '')
    assert.ok((judged.cost ?? 0) > 0)
    const failed = await ask({ model: 'fake-500' })
    assert.deepEqual([failed.value, failed.cost], [null, null])
    assert.match(failed.comment, /^500 /)
    assert.match((await ask({ template: '{% if %}' })).comment, /template/i)
    assert.match((await ask({ model: 'fake-malformed' })).comment, /malformed 2 times/)
    const config = { connectionId: 'nobody', model: 'm', template: 't', verdict: { type: 'boolean' } }
    const input = { kind: 'llm', config, traceIds: [id] }
    await workspace.refused(test, input, 404)
  })

  it('400: for an invalid configuration, and for a `human` evaluator', async () => {
    const workspace = await newWorkspace()
    const configured = await workspace.refused(test, { kind: 'regex', config: { pattern: '(' } }, 400)
    assert.match(configured, /^config\.pattern: must be a regular expression/)
    const message = await workspace.refused(test, { kind: 'llm', config: {} }, 400)
    assert.equal(message, 'config.connectionId: is required')
    assert.match(await workspace.refused(test, { kind: 'human', config: {} }, 400), /^kind: /)
    const code = { kind: 'code', config: { source: 'export default (' } }
    assert.match(await workspace.refused(test, code, 400), /^config\.source: must be valid code/)
  })

  it('404: for a trace that does not exist', async () => {
    const traceIds = ['01890000-0000-7000-8000-000000000000']
    await (await newWorkspace()).refused(test, { ...polite, traceIds }, 404)
  })
})
