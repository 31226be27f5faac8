/** Anything with an ideal output can be scored against it, without a dataset or an experiment. */
// One control plane is enough: evaluations.test.ts runs the queue of evaluations on both.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startModelServer } from '../../../../fixtures/model-server/server.ts'
import { makeEvaluator, recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const models = await startModelServer({ retryAfterSeconds: 0 })
after(() => models.close())
const { newWorkspace } = await startTestApp({ settings: { PLUMBLINE_MODEL_HOSTS: '127.0.0.1,localhost' } })

const connect = async (workspace: TestWorkspace, fields: object = {}) =>
  (
    await workspace.ok(operations.connections.create, {
      name: 'Ours',
      provider: 'open-ai',
      apiKey: 'sk-any',
      baseUrl: models.url,
      ...fields,
    })
  ).connection.id

/** The evaluations of a workspace by evaluator and log, once there are `count` and all have ended. */
const waitUntilEnded = (workspace: TestWorkspace, count: number) =>
  eventually(async () => {
    const { evaluations, waiting } = await workspace.ok(operations.evaluations.list)
    assert.equal(evaluations.length, count)
    for (const { status, problem } of evaluations)
      assert.ok(['done', 'skipped', 'failed'].includes(status), `${problem ?? waiting[0]?.problem}`)
    return new Map(
      evaluations.map((evaluation) => [`${evaluation.evaluatorSlug} ${evaluation.logId}`, evaluation]),
    )
  })

describe('a reference score', () => {
  it('is given to a trace and to a log by the ideal output of each, by every kind of evaluator that uses one', async () => {
    const workspace = await newWorkspace()
    const connectionId = await connect(workspace)
    const kinds: [kind: string, config: object][] = [
      ['equals', {}],
      ['similarity', {}],
      ['rouge_l', {}],
      ['bleu', {}],
      ['embedding_similarity', { connectionId, model: 'text-embedding-3-small' }],
      [
        'llm',
        {
          connectionId,
          model: 'gpt-4o',
          template: 'Does {{ output }} say what {{ idealOutput }} says?',
          verdict: { type: 'boolean' },
        },
      ],
    ]
    for (const [kind, config] of kinds) await makeEvaluator(workspace, { slug: kind, kind, config })
    const { id } = await recordTrace(workspace, {
      output: 'The parcel left Rotterdam on Tuesday.',
      idealOutput: 'The parcel left Rotterdam on Tuesday.',
      logs: [
        {
          id: 'near',
          type: 'span',
          output: 'The parcel left today.',
          idealOutput: 'The parcel left Rotterdam.',
        },
        { id: 'bare', type: 'span', output: 'The parcel left today.' },
      ],
    })
    const logs = ['near', 'bare'].map((logId) => ({ traceId: id, logId }))
    for (const [evaluatorSlug] of kinds)
      await workspace.ok(operations.evaluations.create, { evaluatorSlug, traceIds: [id], logs })
    const evaluations = await waitUntilEnded(workspace, 3 * kinds.length)
    const verdictOf = (key: string) => evaluations.get(key)?.value
    assert.deepEqual([verdictOf('equals null'), verdictOf('equals near')], [true, false])
    for (const kind of ['similarity', 'rouge_l', 'bleu', 'embedding_similarity']) {
      assert.ok(
        Math.abs(Number(verdictOf(`${kind} null`)) - 1) < 1e-5,
        `${kind} ${verdictOf(`${kind} null`)}`,
      )
      const similarity = Number(verdictOf(`${kind} near`))
      assert.ok(similarity > 0 && similarity < 1, `${kind} ${similarity}`)
      const bare = evaluations.get(`${kind} bare`)
      assert.deepEqual(
        [bare?.status, bare?.comment],
        ['skipped', 'There is no ideal output to compare with.'],
      )
    }
    assert.equal(typeof verdictOf('llm null'), 'boolean')
    assert.equal(typeof verdictOf('llm near'), 'boolean')
    const { trace } = await workspace.ok(operations.traces.get, { id })
    // The rubric can be applied without an ideal output too.
    assert.equal(trace.scores.length, 2 * kinds.length + 1)
  })
})

describe('embedding similarity', () => {
  const make = (workspace: TestWorkspace, connectionId: string, config: object = {}) =>
    makeEvaluator(workspace, {
      slug: 'like',
      kind: 'embedding_similarity',
      sampleRate: 1,
      config: { connectionId, model: 'text-embedding-3-small', ...config },
    })
  const record = (workspace: TestWorkspace, output: unknown) =>
    recordTrace(workspace, { output, evaluators: [{ slug: 'like' }] })

  it('is the cosine with the most similar expected text, costs its tokens, and passes from a threshold', async () => {
    const workspace = await newWorkspace()
    const values = ['a blue boat', 'the green hill']
    await make(workspace, await connect(workspace), {
      value: values,
      threshold: 0.9,
      of: 'output',
      path: 'text',
    })
    const { id } = await record(workspace, { text: 'The green hill' })
    const evaluation = (await waitUntilEnded(workspace, 1)).get('like null')
    assert.deepEqual([evaluation?.value, evaluation?.comment], [true, 'The cosine similarity is 1.000.'])
    assert.equal(evaluation?.model, 'text-embedding-3-small')
    assert.ok((evaluation?.inputTokens ?? 0) > 0 && (evaluation?.cost ?? 0) > 0, JSON.stringify(evaluation))
    const { trace } = await workspace.ok(operations.traces.get, { id })
    assert.equal(trace.scores[0]?.cost, evaluation?.cost)
  })

  it('waits until its model passes the health probe, with the reason', async () => {
    const workspace = await newWorkspace()
    await make(workspace, await connect(workspace, { baseUrl: 'http://127.0.0.1:2/v1' }), { value: 'a' })
    await record(workspace, 'a')
    await eventually(async () => {
      const { waiting } = await workspace.ok(operations.evaluations.list)
      assert.match(String(waiting[0]?.problem), /failed its probe with the model "text-embedding-3-small": /)
    })
  })

  it('is tested on recorded traces before it is saved', async () => {
    const workspace = await newWorkspace()
    const connectionId = await connect(workspace)
    const { id } = await recordTrace(workspace, { output: 'a b', idealOutput: 'a b' })
    const { results } = await workspace.ok(operations.evaluators.test, {
      kind: 'embedding_similarity',
      config: { connectionId, model: 'text-embedding-3-small' },
      traceIds: [id],
    })
    assert.ok(Math.abs(Number(results[0]?.value) - 1) < 1e-5)
    assert.ok((results[0]?.cost ?? 0) > 0)
  })
})
