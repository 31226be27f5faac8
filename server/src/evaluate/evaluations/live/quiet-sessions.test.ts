// One control plane is enough: jobs and the queue of evaluations have tests of their own on both.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { idOf, jsonExport, jsonSpan, postJson } from '../../../../testing/otlp-export.ts'
import { makeEvaluator, recordTrace, startTestApp, type TestWorkspace } from '../../../../testing/test-app.ts'
import { isSampled } from '../../../ingest/monitor/sample.ts'

let passedMs = 0
const passMinutes = (minutes: number): void => {
  passedMs += minutes * 60_000
}
// Services run, since OpenTelemetry traces settle after a moment.
const testApp = await startTestApp({ now: () => new Date(Date.now() + passedMs) })
const { app, newWorkspace } = testApp
const { evaluators, evaluations, jobs } = operations

const everySession = { filters: {}, subject: 'session', sampleRate: 1 }
const source =
  'export default ({ turns }) => ({ value: turns.length, comment: turns.map(({ output }) => output).join(" | ") })'
/** Adds an evaluator that judges each trace: once it has, the live rules have processed the trace too. */
const makeJudge = async (workspace: TestWorkspace, liveRule: object = everySession) => {
  await makeEvaluator(workspace, { kind: 'code', config: { source }, liveRule })
  await makeEvaluator(workspace, { slug: 'each', liveRule: { ...everySession, subject: 'trace' } })
}

const waitForJudgedBy = (workspace: TestWorkspace, evaluatorSlug: string, count: number) =>
  eventually(async () => {
    const listed = await workspace.ok(evaluations.list, { status: 'done', evaluatorSlug, limit: 200 })
    assert.equal(listed.evaluations.length, count)
    return listed.evaluations
  })
/** Resolves once the live rules have processed this many traces. */
const waitForMatches = (workspace: TestWorkspace, count: number) => waitForJudgedBy(workspace, 'each', count)
const waitForJudged = (workspace: TestWorkspace, count: number) => waitForJudgedBy(workspace, 'polite', count)

const assertNoneJudged = async (workspace: TestWorkspace) => {
  const { evaluations: all } = await workspace.ok(evaluations.list, { evaluatorSlug: 'polite' })
  assert.deepEqual(all, [])
}

describe('a live rule for sessions', () => {
  it('judges a session once it is quiet, and again when it continues and is quiet again', async () => {
    const workspace = await newWorkspace()
    await makeJudge(workspace)
    await recordTrace(workspace, { sessionId: 'one', input: 'Hello?', output: 'Hi.' })
    passMinutes(1)
    const second = await recordTrace(workspace, { sessionId: 'one', input: 'Help!', output: 'How?' })
    await recordTrace(workspace, { output: 'no session' })
    await waitForMatches(workspace, 3)
    passMinutes(8)
    await app.jobsDrained()
    await assertNoneJudged(workspace)
    passMinutes(3)
    await app.jobsDrained()
    const [first] = await waitForJudged(workspace, 1)
    assert.deepEqual(
      [first?.sessionId, first?.traceId, first?.logId, first?.value, first?.comment],
      ['one', second.id, null, 2, 'Hi. | How?'],
    )
    // The conversation shows the score after the turn up to which it was judged.
    const readSession = () => workspace.ok(operations.conversations.get, { id: 'one' })
    const scoresOf = async () =>
      (await readSession()).turns.map(({ scores }) =>
        scores.flatMap(({ sessionId, value }) => (sessionId === null ? [] : [[sessionId, value]])),
      )
    assert.deepEqual(await scoresOf(), [[], [['one', 2]]])
    passMinutes(30)
    await recordTrace(workspace, { sessionId: 'one', input: 'So.', output: 'Done.' })
    await waitForMatches(workspace, 4)
    passMinutes(11)
    await app.jobsDrained()
    const comments = (await waitForJudged(workspace, 2)).map(({ comment }) => comment)
    assert.deepEqual(comments.toSorted(), ['Hi. | How?', 'Hi. | How? | Done.'])
    assert.deepEqual(await scoresOf(), [[], [['one', 2]], [['one', 3]]])
  })

  it('waits for traces of the session that its filter excludes, but ignores sessions that it excludes entirely', async () => {
    const workspace = await newWorkspace()
    await makeJudge(workspace, { ...everySession, filters: { environment: 'production' }, quietMinutes: 20 })
    await recordTrace(workspace, { sessionId: 'mixed', environment: 'production', output: 'a' })
    await recordTrace(workspace, { sessionId: 'staging', environment: 'staging', output: 'b' })
    await waitForMatches(workspace, 2)
    passMinutes(15)
    await recordTrace(workspace, { sessionId: 'mixed', environment: 'staging', output: 'c' })
    await waitForMatches(workspace, 3)
    passMinutes(10)
    await app.jobsDrained()
    await assertNoneJudged(workspace)
    passMinutes(11)
    await app.jobsDrained()
    const list = await waitForJudged(workspace, 1)
    assert.deepEqual(
      list.map(({ sessionId, comment }) => [sessionId, comment]),
      [['mixed', 'a | c']],
    )
  })

  it('judges OpenTelemetry sessions, and each state of a session once, however often a job checks it', async () => {
    const workspace = await newWorkspace()
    await makeJudge(workspace)
    const attributes = [
      { key: 'session.id', value: { stringValue: 'otel' } },
      { key: 'output.value', value: { stringValue: 'x' } },
    ]
    const root = jsonSpan({ traceId: idOf(1, 16), spanId: idOf(1, 8), name: 'chat', attributes })
    const child = jsonSpan({
      traceId: idOf(1, 16),
      spanId: idOf(2, 8),
      parentSpanId: idOf(1, 8),
      name: 'step',
    })
    await postJson(testApp, workspace, jsonExport([root]))
    await waitForMatches(workspace, 1)
    passMinutes(11)
    await app.jobsDrained()
    await waitForJudged(workspace, 1)
    // The trace grows, so that another job checks the session; its texts are the same.
    await postJson(testApp, workspace, jsonExport([child]))
    const list = (state: string) => workspace.ok(jobs.list, { kind: 'session.judge', state })
    await eventually(async () => {
      await app.flush()
      assert.equal((await list('waiting')).jobs.length, 1)
    })
    passMinutes(11)
    await app.jobsDrained()
    assert.equal((await list('done')).jobs.length, 2)
    assert.equal((await waitForJudged(workspace, 1))[0]?.comment, 'x')
  })

  it('selects sessions by their ids, and stops when it is removed', async () => {
    const workspace = await newWorkspace()
    await makeJudge(workspace, { ...everySession, sampleRate: 0.5 })
    await makeEvaluator(workspace, { slug: 'gone', liveRule: everySession })
    const ids = Array.from({ length: 12 }, (_, index) => `session ${index}`)
    for (const sessionId of ids) await recordTrace(workspace, { sessionId, output: 'x' })
    const sampled = ids.filter((id) => isSampled(id, 0.5))
    await waitForMatches(workspace, ids.length)
    await workspace.ok(evaluators.update, { slug: 'gone', liveRule: { ...everySession, subject: 'trace' } })
    passMinutes(11)
    await app.jobsDrained()
    const list = await waitForJudged(workspace, sampled.length)
    assert.deepEqual(list.map(({ sessionId }) => sessionId).toSorted(), sampled.toSorted())
    const evaluationsOfTrace = await workspace.ok(evaluations.list, { evaluatorSlug: 'gone' })
    assert.deepEqual(evaluationsOfTrace.evaluations, [])
  })

  it('400: rejects an invalid quiet time, and any quiet time if the rule does not judge sessions', async () => {
    const workspace = await newWorkspace()
    const input = { slug: 'e', name: 'E', kind: 'contains', config: { value: 'x' } }
    for (const liveRule of [
      { ...everySession, quietMinutes: 0 },
      { ...everySession, quietMinutes: 1441 },
      { ...everySession, subject: 'trace', quietMinutes: 5 },
    ])
      assert.match(
        await workspace.refused(evaluators.create, { ...input, liveRule }, 400),
        /^liveRule\.quietMinutes: must be/,
      )
    const { evaluator } = await workspace.ok(evaluators.create, { ...input, liveRule: everySession })
    assert.deepEqual(evaluator.liveRule, { ...everySession, quietMinutes: 10 })
    const liveRule = { ...everySession, quietMinutes: 3 }
    const changed = await workspace.ok(evaluators.update, { slug: 'e', liveRule })
    assert.deepEqual(changed.evaluator.liveRule, liveRule)
  })
})
