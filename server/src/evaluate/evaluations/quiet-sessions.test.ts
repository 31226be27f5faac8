import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { idOf, jsonExport, jsonSpan, postJson } from '../../../testing/otlp-export.ts'
import { makeEvaluator, recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'
import { isSampled } from '../../ingest/monitor/sample.ts'

let clockMs = Date.UTC(2026, 4, 4, 10)
const passMinutes = (minutes: number): void => {
  clockMs += minutes * 60_000
}
const testApp = await startTestApp({ now: () => new Date(clockMs) })
const { app, newWorkspace } = testApp
const { evaluators, evaluations, jobs } = operations

const everySession = { filters: {}, subject: 'session', sampleRate: 1 }
const source =
  'export default ({ turns }) => ({ value: turns.length, comment: turns.map(({ output }) => output).join(" | ") })'
const makeJudge = (workspace: TestWorkspace, liveRule: object = everySession) =>
  makeEvaluator(workspace, { kind: 'code', config: { source }, liveRule })

/** Stored, and seen by the live rules: as many jobs wait for sessions of the workspace. */
const watched = async (workspace: TestWorkspace, count: number) => {
  await app.flush()
  await eventually(async () => {
    const listed = await workspace.ok(jobs.list, { kind: 'session.judge', state: 'waiting' })
    assert.equal(listed.jobs.length, count)
  })
}

const listJudged = async (workspace: TestWorkspace) =>
  (await workspace.ok(evaluations.list, { status: 'done', limit: 200 })).evaluations
const judged = (workspace: TestWorkspace, count: number) =>
  eventually(async () => {
    const list = await listJudged(workspace)
    assert.equal(list.length, count)
    return list
  })

describe('a live rule about sessions', () => {
  it('judges a session once it is quiet, and again when it goes on and is quiet again', async () => {
    const workspace = await newWorkspace()
    await makeJudge(workspace)
    await recordTrace(workspace, { sessionId: 'one', input: 'Hello?', output: 'Hi.' })
    passMinutes(1)
    const second = await recordTrace(workspace, { sessionId: 'one', input: 'Help!', output: 'How?' })
    await recordTrace(workspace, { output: 'no session' })
    await watched(workspace, 1)
    passMinutes(9)
    await app.jobsDrained()
    await watched(workspace, 1)
    assert.deepEqual(await listJudged(workspace), [])
    passMinutes(2)
    await app.jobsDrained()
    const [first] = await judged(workspace, 1)
    assert.deepEqual(
      [first?.sessionId, first?.traceId, first?.logId, first?.value, first?.comment],
      ['one', second.id, null, 2, 'Hi. | How?'],
    )
    // The score stands in the conversation, after the turn up to which it was judged.
    const read = () => workspace.ok(operations.conversations.get, { id: 'one' })
    const scoresOf = async () =>
      (await read()).turns.map(({ scores }) => scores.map(({ sessionId, value }) => [sessionId, value]))
    assert.deepEqual(await scoresOf(), [[], [['one', 2]]])
    passMinutes(30)
    await recordTrace(workspace, { sessionId: 'one', input: 'So.', output: 'Done.' })
    await watched(workspace, 1)
    passMinutes(11)
    await app.jobsDrained()
    const comments = (await judged(workspace, 2)).map(({ comment }) => comment)
    assert.deepEqual(comments.toSorted(), ['Hi. | How?', 'Hi. | How? | Done.'])
    assert.deepEqual(await scoresOf(), [[], [['one', 2]], [['one', 3]]])
  })

  it('waits for traces of the session that its filter leaves out, but is about none that it leaves out whole', async () => {
    const workspace = await newWorkspace()
    await makeJudge(workspace, { ...everySession, filters: { environment: 'production' }, quietMinutes: 20 })
    await recordTrace(workspace, { sessionId: 'mixed', environment: 'production', output: 'a' })
    await recordTrace(workspace, { sessionId: 'staging', environment: 'staging', output: 'b' })
    await watched(workspace, 1)
    passMinutes(15)
    await recordTrace(workspace, { sessionId: 'mixed', environment: 'staging', output: 'c' })
    await app.flush()
    passMinutes(10)
    await app.jobsDrained()
    await watched(workspace, 1)
    assert.deepEqual(await listJudged(workspace), [])
    passMinutes(11)
    await app.jobsDrained()
    const list = await judged(workspace, 1)
    assert.deepEqual(
      list.map(({ sessionId, comment }) => [sessionId, comment]),
      [['mixed', 'a | c']],
    )
  })

  it('judges OpenTelemetry sessions, and a session in one state once, however often a job looks at it', async () => {
    const workspace = await newWorkspace()
    await makeJudge(workspace)
    const span = (seed: number, output: string) =>
      jsonSpan({
        traceId: idOf(seed, 16),
        spanId: idOf(seed, 8),
        name: 'chat',
        attributes: [
          { key: 'session.id', value: { stringValue: 'otel' } },
          { key: 'output.value', value: { stringValue: output } },
        ],
      })
    await postJson(testApp, workspace, jsonExport([span(1, 'x')]))
    await watched(workspace, 1)
    // Another period, so another job; the trace did not change.
    passMinutes(9)
    await postJson(testApp, workspace, jsonExport([span(1, 'x')]))
    passMinutes(2)
    await app.flush()
    await app.jobsDrained()
    await judged(workspace, 1)
    passMinutes(20)
    await app.jobsDrained()
    await watched(workspace, 0)
    assert.deepEqual((await judged(workspace, 1))[0]?.comment, 'x')
  })

  it('chooses sessions by their ids, and is not asked after it is gone', async () => {
    const workspace = await newWorkspace()
    await makeJudge(workspace, { ...everySession, sampleRate: 0.5 })
    await makeEvaluator(workspace, { slug: 'gone', liveRule: everySession })
    const ids = Array.from({ length: 12 }, (_, index) => `session ${index}`)
    for (const sessionId of ids) await recordTrace(workspace, { sessionId, output: 'x' })
    const sampled = ids.filter((id) => isSampled(id, 0.5))
    await watched(workspace, sampled.length + ids.length)
    await workspace.ok(evaluators.update, { slug: 'gone', liveRule: { ...everySession, subject: 'trace' } })
    passMinutes(11)
    await app.jobsDrained()
    const list = await judged(workspace, sampled.length)
    assert.deepEqual(list.map(({ sessionId }) => sessionId).toSorted(), sampled.toSorted())
  })

  it('400: names a time that is none, and one where no session is judged', async () => {
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
