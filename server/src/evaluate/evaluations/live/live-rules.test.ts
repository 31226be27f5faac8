// One control plane is enough: evaluations.test.ts runs the queue of evaluations on both.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { idOf, jsonExport, jsonSpan, postJson } from '../../../../testing/otlp-export.ts'
import { makeEvaluator, recordTrace, startTestApp, type TestWorkspace } from '../../../../testing/test-app.ts'
import { isSampled } from '../../../ingest/monitor/sample.ts'

const testApp = await startTestApp()
const { app, newWorkspace } = testApp
const { evaluators, evaluations } = operations

const every = { filters: {}, subject: 'trace', sampleRate: 1 }
const text = (key: string, value: string): object => ({ key, value: { stringValue: value } })

/** The judged trace, log and verdict of each evaluation, once there are `count`. */
const waitForJudged = (workspace: TestWorkspace, count: number, evaluatorSlug = 'polite') =>
  eventually(async () => {
    const listed = await workspace.ok(evaluations.list, { status: 'done', evaluatorSlug, limit: 200 })
    assert.equal(listed.evaluations.length, count)
    return listed.evaluations
  })

/** Spans of an ordinary instrumentation: an agent that calls a model. */
const agentSpans = (seed: number, answer: string, environment = 'production'): object[] => [
  jsonSpan({
    traceId: idOf(seed, 16),
    spanId: idOf(seed, 8),
    name: 'invoke_agent',
    attributes: [
      text('gen_ai.operation.name', 'invoke_agent'),
      text('output.value', answer),
      text('deployment.environment.name', environment),
    ],
  }),
  jsonSpan({
    traceId: idOf(seed, 16),
    spanId: idOf(seed + 1000, 8),
    parentSpanId: idOf(seed, 8),
    name: 'chat',
    attributes: [
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.request.model', 'gpt-4o'),
      text('gen_ai.completion', answer),
    ],
  }),
]

describe('a live rule', () => {
  it('judges ordinary OpenTelemetry traffic that references no evaluator', async () => {
    const workspace = await newWorkspace()
    const where = JSON.stringify([{ field: 'environment', is: ['production'] }])
    await makeEvaluator(workspace, { liveRule: { ...every, filters: { where } } })
    const spans = [
      ...agentSpans(1, 'Yes, please.'),
      ...agentSpans(2, 'No.'),
      ...agentSpans(3, 'Yes, please.', 'staging'),
    ]
    await postJson(testApp, workspace, jsonExport(spans))
    const values = (await waitForJudged(workspace, 2)).map(({ value, logId }) => [value, logId])
    assert.deepEqual(values.toSorted(), [
      [false, null],
      [true, null],
    ])
    const { traces } = await workspace.ok(operations.traces.list, { environment: 'staging' })
    const staging = await workspace.ok(operations.traces.get, { id: traces[0]!.id })
    assert.deepEqual([staging.evaluations, staging.trace.scores], [[], []])
  })

  it('judges each log of its type', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace, { liveRule: { ...every, subject: 'generation' } })
    await postJson(testApp, workspace, jsonExport(agentSpans(1, 'Yes, please.')))
    const logs = [
      { id: 'a', type: 'generation', output: 'No.' },
      { id: 'b', type: 'generation', output: 'Yes, please.' },
      { id: 'c', type: 'tool', output: 'please' },
    ]
    await workspace.ok(operations.monitor.trace, { logs })
    const verdicts = (await waitForJudged(workspace, 3)).map(({ logId, value }) => [logId, value])
    assert.deepEqual(verdicts.toSorted(), [
      [idOf(1001, 8), true],
      ['a', false],
      ['b', true],
    ])
  })

  it('judges a growing trace once for each state of its texts', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace, { liveRule: every })
    const [root, call] = agentSpans(1, 'Yes, please.')
    await postJson(testApp, workspace, jsonExport([root]))
    await waitForJudged(workspace, 1)
    await postJson(testApp, workspace, jsonExport([call]))
    await app.flush()
    const [changed] = agentSpans(1, 'No.')
    await postJson(testApp, workspace, jsonExport([{ ...changed, endTimeUnixNano: '1760000002000000000' }]))
    const values = (await waitForJudged(workspace, 2)).map(({ value }) => value)
    assert.deepEqual(values.toSorted(), [false, true])
  })

  it('judges at its own rate, and judges a trace that references the evaluator only once', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace, { sampleRate: 1, liveRule: { ...every, sampleRate: 0.4 } })
    await makeEvaluator(workspace, { slug: 'other', sampleRate: 0, liveRule: every })
    const ids: string[] = []
    for (let index = 0; index < 30; index++) ids.push((await recordTrace(workspace, { output: 'x' })).id)
    const namedTrace = await recordTrace(workspace, { output: 'x', evaluators: [{ slug: 'polite' }] })
    await waitForJudged(workspace, 31, 'other')
    const expected = [...ids.filter((id) => isSampled(id, 0.4)), namedTrace.id]
    const traceIds = (await waitForJudged(workspace, expected.length)).map(({ traceId }) => traceId)
    assert.deepEqual(traceIds.toSorted(), expected.toSorted())
  })

  it('does not apply to traces that arrived before it was set or after it was removed', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace, { sampleRate: 0 })
    await recordTrace(workspace, { output: 'before' })
    await app.flush()
    const { update } = evaluators
    const { evaluator } = await workspace.ok(update, { slug: 'polite', liveRule: every })
    assert.deepEqual([evaluator.liveRule, evaluator.version], [every, 1])
    const { id } = await recordTrace(workspace, { output: 'during' })
    assert.deepEqual(
      (await waitForJudged(workspace, 1)).map(({ traceId }) => traceId),
      [id],
    )
    await workspace.ok(update, { slug: 'polite', name: 'Still' })
    assert.deepEqual((await workspace.ok(evaluators.get, { slug: 'polite' })).evaluator.liveRule, every)
    const after = await workspace.ok(update, { slug: 'polite', liveRule: null })
    assert.equal(after.evaluator.liveRule, null)
    await recordTrace(workspace, { output: 'after' })
    await app.flush()
    await makeEvaluator(workspace, { slug: 'last', liveRule: every })
    await recordTrace(workspace, { output: 'last' })
    await waitForJudged(workspace, 1, 'last')
    await waitForJudged(workspace, 1)
  })

  it('400: names a filter that does not exist, and rejects `human` evaluators', async () => {
    const workspace = await newWorkspace()
    const input = { slug: 'e', name: 'E', kind: 'contains', config: { value: 'x' } }
    const rejections: [RegExp, object][] = [
      [/^liveRule\.filters/, { liveRule: { ...every, filters: { colour: 'red' } } }],
      [/^where\[0\]\.field/, { liveRule: { ...every, filters: { where: '[{"field":"weather"}]' } } }],
      [/^liveRule\.subject/, { liveRule: { ...every, subject: 'day' } }],
      [/^liveRule\.sampleRate/, { liveRule: { ...every, sampleRate: 2 } }],
    ]
    for (const [sentence, fields] of rejections)
      assert.match(await workspace.refused(evaluators.create, { ...input, ...fields }, 400), sentence)
    const human = { ...input, kind: 'human', config: { type: 'boolean' }, liveRule: every }
    assert.match(await workspace.refused(evaluators.create, human, 400), /^(liveRule|config)/)
    await makeEvaluator(workspace, { liveRule: every })
    const kind = { slug: 'polite', kind: 'human', config: { value: 'x' } }
    assert.match(await workspace.refused(evaluators.update, kind, 400), /^(liveRule|config)/)
  })
})

describe('several evaluators that a trace references', () => {
  it('judge it at their own rates: the samples are nested', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace, { slug: 'cheap', sampleRate: 0.9 })
    await makeEvaluator(workspace, { slug: 'dear', sampleRate: 0.3 })
    const ids: string[] = []
    const names = { output: 'x', evaluators: [{ slug: 'cheap' }, { slug: 'dear' }] }
    for (let index = 0; index < 40; index++) ids.push((await recordTrace(workspace, names)).id)
    for (const [slug, rate] of [
      ['cheap', 0.9],
      ['dear', 0.3],
    ] as const) {
      const expected = ids.filter((id) => isSampled(id, rate))
      const traceIds = (await waitForJudged(workspace, expected.length, slug)).map(({ traceId }) => traceId)
      assert.deepEqual(traceIds.toSorted(), expected.toSorted())
    }
  })
})
