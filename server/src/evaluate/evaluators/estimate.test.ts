// One control plane is enough: evaluations.test.ts runs the queue of evaluations on both.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startModelServer } from '../../../../fixtures/model-server/server.ts'
import { recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'
import { isSampled } from '../../ingest/monitor/sample.ts'

const models = await startModelServer({ retryAfterSeconds: 0 })
after(() => models.close())
const { app, newWorkspace } = await startTestApp({ settings: { PLUMBLINE_PRIVATE_MODEL_URLS: 'true' } })
const { estimate, create } = operations.evaluators

const every = { filters: {}, subject: 'trace', sampleRate: 1 }
const contains = { kind: 'contains', config: { value: 'please' } }

const connect = async (workspace: TestWorkspace): Promise<string> =>
  (
    await workspace.ok(operations.connections.create, {
      name: 'Ours',
      provider: 'open-ai',
      apiKey: 'sk-any',
      baseUrl: models.url,
    })
  ).connection.id

const modelJudge = (connectionId: string) => ({
  kind: 'llm',
  config: {
    connectionId,
    model: 'gpt-4o',
    template: 'Is {{ output }} right?',
    verdict: { type: 'boolean' },
  },
})

describe('evaluators.estimate', () => {
  it('200: counts what the rule would have judged in the last day, with the same selection as when it judges', async () => {
    const workspace = await newWorkspace()
    const ids: string[] = []
    const logs = [
      { id: 'a', type: 'generation' },
      { id: 'b', type: 'generation' },
      { id: 'c', type: 'tool' },
    ]
    for (let index = 0; index < 40; index++)
      ids.push((await recordTrace(workspace, { environment: 'production', logs })).id)
    await recordTrace(workspace, { environment: 'staging', logs })
    const old = new Date(Date.now() - 26 * 3_600_000).toISOString()
    await recordTrace(workspace, { environment: 'production', startTime: old })
    await app.flush()
    const liveRule = { ...every, filters: { environment: 'production' } }
    for (const sampleRate of [0, 0.3, 0.7, 1]) {
      const sampled = ids.filter((id) => isSampled(id, sampleRate)).length
      const ofTraces = await workspace.ok(estimate, { ...contains, liveRule: { ...liveRule, sampleRate } })
      const { matching, judged, cost, basis } = ofTraces
      assert.deepEqual([matching, judged, cost, basis], [40, sampled, 0, 'free'])
      const subject = 'generation'
      const ofLogs = await workspace.ok(estimate, {
        ...contains,
        liveRule: { ...liveRule, sampleRate, subject },
      })
      assert.deepEqual([ofLogs.matching, ofLogs.judged], [40, 2 * sampled])
    }
  })

  it("200: prices prompts rendered from the traces, then uses the evaluator's actual costs", async () => {
    const workspace = await newWorkspace()
    const judge = modelJudge(await connect(workspace))
    const unknown = await workspace.ok(estimate, { ...judge, liveRule: every })
    assert.deepEqual([unknown.judged, unknown.cost, unknown.basis], [0, 0, 'unknown'])
    await recordTrace(workspace, { output: 'yes '.repeat(1000) })
    await app.flush()
    const estimated = await workspace.ok(estimate, { ...judge, liveRule: every })
    assert.deepEqual([estimated.judged, estimated.basis], [1, 'traces'])
    // 1,000 words and the form at $2.50 per million tokens, 150 at $10.
    const cost = estimated.cost ?? 0
    assert.ok(cost > 0.004 && cost < 0.0045, String(cost))
    await workspace.ok(create, { slug: 'right', name: 'Right', ...judge, liveRule: every })
    const { id } = await recordTrace(workspace, { output: 'Good.' })
    const measuredCost = await eventually(async () => {
      const { trace } = await workspace.ok(operations.traces.get, { id })
      assert.equal(trace.scores.length, 1)
      return trace.scores[0]?.cost ?? 0
    })
    const after = await workspace.ok(estimate, { ...judge, liveRule: every, slug: 'right' })
    assert.deepEqual([after.basis, after.costPerJudgement, after.judged], ['scores', measuredCost, 2])
    assert.equal(after.cost, 2 * measuredCost)
  })

  it('200: counts a session once for each time it was quiet, and prices its conversation', async () => {
    const workspace = await newWorkspace()
    const judge = modelJudge(await connect(workspace))
    const turns = { ...judge.config, template: '{% for turn in turns %}{{ turn.output }}{% endfor %}' }
    const ids = Array.from({ length: 12 }, (_, index) => `session ${index}`)
    const startMs = Date.now() - 3 * 3_600_000
    for (const sessionId of ids)
      for (const minutes of [0, 9, 60]) {
        const startTime = new Date(startMs + minutes * 60_000).toISOString()
        await recordTrace(workspace, { sessionId, startTime, output: 'yes '.repeat(1000) })
      }
    await recordTrace(workspace, { output: 'no session' })
    await app.flush()
    const liveRule = { ...every, subject: 'session' }
    const counts = async (fields: object) => {
      const { matching, judged } = await workspace.ok(estimate, {
        ...contains,
        liveRule: { ...liveRule, ...fields },
      })
      return [matching, judged]
    }
    assert.deepEqual(await counts({}), [37, 24])
    assert.deepEqual(await counts({ quietMinutes: 5 }), [37, 36])
    assert.deepEqual(await counts({ quietMinutes: 120 }), [37, 12])
    const sampled = ids.filter((id) => isSampled(id, 0.4)).length
    assert.deepEqual(await counts({ sampleRate: 0.4, quietMinutes: 120 }), [37, sampled])
    const estimated = await workspace.ok(estimate, { ...judge, config: turns, liveRule })
    // Three turns of 1,000 words at $2.50 per million tokens, 150 at $10.
    const cost = estimated.costPerJudgement ?? 0
    assert.ok(estimated.basis === 'traces' && cost > 0.009 && cost < 0.0095, String(cost))
  })

  it('400 and 404: for a filter that does not exist, an invalid judge, and an unknown connection', async () => {
    const workspace = await newWorkspace()
    const colour = { ...contains, liveRule: { ...every, filters: { colour: 'red' } } }
    assert.match(await workspace.refused(estimate, colour, 400), /^liveRule\.filters/)
    const judge = { kind: 'llm', config: {}, liveRule: every }
    assert.match(await workspace.refused(estimate, judge, 400), /^config/)
    const away = modelJudge('01890000-0000-7000-8000-000000000000')
    await workspace.refused(estimate, { ...away, liveRule: every }, 404)
  })
})
