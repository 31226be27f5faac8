/** Scores that an application set on its spans, and that its own API key changes or deletes while more spans arrive. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { otlpTraceId } from '../../../testing/deleted-spans.ts'
import { idOf, jsonExport, jsonSpan, postJson } from '../../../testing/otlp-export.ts'
import { startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { update, delete: remove } = operations.scores
const testApp = await startTestApp()
const { app, newWorkspace } = testApp

const evaluation = (name: string, value: number) => ({
  name: 'gen_ai.evaluation.result',
  timeUnixNano: '1760000000500000000',
  attributes: [
    { key: 'gen_ai.evaluation.name', value: { stringValue: name } },
    { key: 'gen_ai.evaluation.score.value', value: { doubleValue: value } },
  ],
})

const root = idOf(1, 8)

/** Sends a span of the trace: first the root, which ends the trace, and later its children. */
async function sendSpan(workspace: TestWorkspace, traceId: string, number: number, events: object[] = []) {
  const spanId = idOf(number, 8)
  const parent = spanId === root ? {} : { parentSpanId: root }
  const answer = await postJson(
    testApp,
    workspace,
    jsonExport([jsonSpan({ traceId, spanId, events, ...parent })]),
  )
  assert.equal(answer.status, 200)
}

async function recordScores() {
  const workspace = await newWorkspace()
  const traceId = otlpTraceId()
  await sendSpan(workspace, traceId, 1, [evaluation('relevance', 0.5), evaluation('tone', 0.75)])
  const readScores = async () => {
    const { trace } = await workspace.ok(operations.traces.get, { id: traceId })
    return trace.scores
  }
  const valuesOf = async () =>
    Object.fromEntries((await readScores()).map(({ name, value }) => [name, value]))
  const idOfScore = async (name: string): Promise<string> =>
    (await readScores()).find((score) => score.name === name)?.id ?? assert.fail(`There is no score ${name}.`)
  return { workspace, traceId, valuesOf, idOfScore }
}

describe('a score of a span', () => {
  it('that was deleted stays deleted when a span arrives later', async () => {
    const { workspace, traceId, valuesOf, idOfScore } = await recordScores()
    await app.flush()
    await workspace.ok(remove, { id: await idOfScore('relevance') })
    assert.deepEqual(await valuesOf(), { tone: 0.75 })
    await sendSpan(workspace, traceId, 2, [evaluation('length', 1)])
    // From the spool, then from the rows.
    assert.deepEqual(await valuesOf(), { tone: 0.75, length: 1 })
    await app.flush()
    assert.deepEqual(await valuesOf(), { tone: 0.75, length: 1 })
    const { scores } = await workspace.ok(operations.scores.list)
    assert.deepEqual(scores.map(({ name }) => name).sort(), ['length', 'tone'])
    await workspace.ok(remove, { id: await idOfScore('length') })
    await sendSpan(workspace, traceId, 3)
    await app.flush()
    assert.deepEqual(await valuesOf(), { tone: 0.75 })
  })

  it('that was deleted before its trace was stored stays deleted', async () => {
    const { workspace, traceId, valuesOf, idOfScore } = await recordScores()
    await workspace.ok(remove, { id: await idOfScore('tone') })
    assert.deepEqual(await valuesOf(), { relevance: 0.5 })
    await sendSpan(workspace, traceId, 2)
    await app.flush()
    assert.deepEqual(await valuesOf(), { relevance: 0.5 })
  })

  it('that was changed keeps its value when a span arrives later', async () => {
    const { workspace, traceId, valuesOf, idOfScore } = await recordScores()
    await app.flush()
    await workspace.ok(update, { id: await idOfScore('relevance'), value: 0.25 })
    await sendSpan(workspace, traceId, 2)
    assert.deepEqual(await valuesOf(), { relevance: 0.25, tone: 0.75 })
    await app.flush()
    assert.deepEqual(await valuesOf(), { relevance: 0.25, tone: 0.75 })
  })
})
