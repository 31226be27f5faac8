// One control plane is enough: evaluations.test.ts runs the queue of evaluations on both.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { judgesFeature, operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startModelServer } from '../../../../fixtures/model-server/server.ts'
import { recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const models = await startModelServer({ retryAfterSeconds: 0 })
after(() => models.close())
const { app, newWorkspace } = await startTestApp({ settings: { PLUMBLINE_PRIVATE_MODEL_URLS: 'true' } })
const { traces, evaluators, metrics } = operations
const ofJudges = { featureSlug: judgesFeature }

/** An evaluator with a model that judges every trace. */
async function makeModelJudge(workspace: TestWorkspace): Promise<void> {
  const { connection } = await workspace.ok(operations.connections.create, {
    name: 'Ours',
    provider: 'open-ai',
    apiKey: 'sk-any',
    baseUrl: models.url,
  })
  await workspace.ok(evaluators.create, {
    slug: 'right',
    name: 'Right',
    kind: 'llm',
    config: {
      connectionId: connection.id,
      model: 'gpt-4o',
      systemTemplate: 'You judge answers.',
      template: 'Is {{ output }} right for {{ input }}?',
      verdict: { type: 'boolean' },
    },
    liveRule: { filters: {}, subject: 'trace', sampleRate: 1 },
  })
}

/** A trace that a model has judged, with the trace of its judging. */
async function recordJudged(workspace: TestWorkspace, fields: object = {}) {
  const { id } = await recordTrace(workspace, { input: 'What is 2 + 2?', output: 'Four.', ...fields })
  const score = await eventually(async () => {
    const { trace } = await workspace.ok(traces.get, { id })
    assert.equal(trace.scores.length, 1)
    return trace.scores[0]!
  })
  const judge = await workspace.ok(traces.get, { id: score.judgeTraceId ?? '' })
  return { id, score, judge: judge.trace }
}

describe('a model judge', () => {
  it('records a trace of its prompt and response, linked from its score', async () => {
    const workspace = await newWorkspace()
    await makeModelJudge(workspace)
    const { id, score, judge } = await recordJudged(workspace)
    assert.equal(judge.featureSlug, judgesFeature)
    assert.deepEqual(judge.output, { value: score.value, comment: score.comment })
    assert.equal(judge.metadata?.judgedTraceId, id)
    const [call] = judge.logs
    const messages = call?.input as { role: string; content: string }[]
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['system', 'user'],
    )
    assert.equal(messages[1]?.content, 'Is Four. right for What is 2 + 2??')
    assert.deepEqual([call?.type, call?.model, call?.cost], ['generation', 'gpt-4o', score.cost])
    const { evaluations } = await workspace.ok(traces.get, { id })
    assert.equal(evaluations[0]?.judgeTraceId, judge.id)
  })

  it('is left out of lists, counts, metrics, costs and the ledger, unless its feature is named', async () => {
    const workspace = await newWorkspace()
    await makeModelJudge(workspace)
    const { id, judge } = await recordJudged(workspace)
    await app.flush()
    const list = async (filters: object = {}) =>
      (await workspace.ok(traces.list, filters)).traces.map((trace) => trace.id)
    assert.deepEqual(await list(), [id])
    assert.deepEqual(await list({ sort: 'cost' }), [id])
    assert.deepEqual(await list({ q: 'Four' }), [id])
    assert.deepEqual(await list(ofJudges), [judge.id])
    const histogram = await workspace.ok(traces.histogram, {})
    assert.equal(
      histogram.buckets.reduce((sum, bucket) => sum + bucket.traces, 0),
      1,
    )
    for (const measured of [
      { measures: 'traces,logs,cost' },
      // Without using the hourly sums.
      { measures: 'traces,logs,cost,p50DurationMs' },
      { measures: 'logs,cost', dimensions: 'model' },
    ]) {
      const { rows } = await workspace.ok(metrics.query, measured)
      const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name] ?? 0), 0)
      assert.deepEqual([sum('logs'), sum('cost')], [0, 0], JSON.stringify(measured))
    }
    const own = await workspace.ok(metrics.query, {
      measures: 'traces,logs',
      filters: JSON.stringify(ofJudges),
    })
    assert.deepEqual([own.rows[0]?.traces, own.rows[0]?.logs], [1, 1])
    const { facets } = await workspace.ok(traces.facets, { fields: 'feature,model' })
    assert.deepEqual(
      facets.flatMap(({ values }) => values.map(({ value }) => value)),
      [],
    )
    await eventually(async () => {
      const { entries } = await workspace.ok(operations.ledger.list)
      assert.deepEqual(
        entries.map(({ stored, rejected }) => [stored, rejected]),
        [[1, 0]],
      )
    })
  })

  it('is deleted with the trace that it judged', async () => {
    const workspace = await newWorkspace()
    await makeModelJudge(workspace)
    const { id, judge } = await recordJudged(workspace)
    const remaining = await recordJudged(workspace)
    await app.flush()
    await workspace.ok(traces.delete, { id })
    await eventually(async () => {
      const { traces: judges } = await workspace.ok(traces.list, ofJudges)
      assert.deepEqual(
        judges.map((trace) => trace.id),
        [remaining.judge.id],
      )
    })
    await workspace.refused(traces.get, { id: judge.id }, 404)
  })

  it('has the end user of the judged trace, so that it is erased with the rest', async () => {
    const workspace = await newWorkspace()
    await makeModelJudge(workspace)
    const { judge } = await recordJudged(workspace, { user: { id: 'ada', name: 'Ada' } })
    assert.deepEqual(judge.user, { id: 'ada', name: 'Ada' })
    await app.flush()
    const { users } = await workspace.ok(operations.users.list)
    assert.deepEqual(
      users.map((user) => [user.id, user.traces]),
      [['ada', 1]],
    )
  })

  it('has a feature that cannot be created by others', async () => {
    const workspace = await newWorkspace()
    const feature = { slug: judgesFeature, name: 'Judges' }
    assert.match(await workspace.refused(operations.features.create, feature, 400), /^slug: /)
  })
})
