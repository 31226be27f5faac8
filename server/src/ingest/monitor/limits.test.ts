/** The limits of a trace, and the response when one is exceeded. */
// One control plane is enough: a trace is checked before anything is stored.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { jsonExport, jsonSpan, postJson } from '../../../testing/otlp-export.ts'
import { makeEvaluator, recordTrace, startTestApp } from '../../../testing/test-app.ts'

const testApp = await startTestApp()
const { app, newWorkspace } = testApp
const { monitor } = operations

const many = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))
const references = (count: number, first = 0) => many(count, (index) => ({ slug: `e${first + index}` }))
const span = (id: number, fields: object = {}) => ({ id: String(id), type: 'span', ...fields })

describe('limits of a trace (M5)', () => {
  it('accepts 1,000 evaluators of a trace, and rejects more, naming the limit', async () => {
    const workspace = await newWorkspace()
    await recordTrace(workspace, { evaluators: references(1000) })
    for (const count of [1001, 150_000]) {
      const error = await workspace.refused(monitor.trace, { evaluators: references(count) }, 400)
      assert.equal(error, 'evaluators: must have at most 1000 items')
    }
  })

  it('accepts 1,000 evaluators of a log, and rejects more', async () => {
    const workspace = await newWorkspace()
    const logs = (count: number) => [span(0), span(1, { evaluators: references(count) })]
    await recordTrace(workspace, { logs: logs(1000) })
    const error = await workspace.refused(monitor.trace, { logs: logs(1001) }, 400)
    assert.equal(error, 'logs[1].evaluators: must have at most 1000 items')
  })

  it('accepts 1,000 different evaluators across a trace and its logs, however often each is named', async () => {
    const workspace = await newWorkspace()
    await recordTrace(workspace, { logs: many(3, (index) => span(index, { evaluators: references(1000) })) })
    const logs = [span(0, { evaluators: references(500) }), span(1, { evaluators: references(501, 500) })]
    const error = await workspace.refused(monitor.trace, { logs }, 400)
    assert.equal(error, 'logs: must name at most 1000 different evaluators, with those of the trace')
  })

  it('accepts 50,000 logs, and rejects more, naming the limit', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(monitor.trace, { logs: many(50_000, (index) => span(index)) })
    const error = await workspace.refused(monitor.trace, { logs: many(50_001, (index) => span(index)) }, 400)
    assert.equal(error, 'logs: must have at most 50000 items')
  })

  it('gives at most 100 sentences of warnings, and states how many more there were', async () => {
    const logs = many(300, (index) => span(index, { type: 'generation', prompt: { slug: `p${index}` } }))
    const { warning } = await recordTrace(await newWorkspace(), { logs })
    assert.match(warning ?? '', /^logs\[0\]\.prompt: .* logs\[99\]\.prompt: .* And 200 more\.$/)
  })

  it('uses as many evaluators as a trace may name', async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace, { slug: 'e999', sampleRate: 1 })
    const { trace } = await recordTrace(workspace, { evaluators: references(1000) })
    assert.equal(trace.sampled, true)
    await app.flush()
  })

  it('stores an OpenTelemetry span with all evaluators that it names, and shows which of them judge it', async () => {
    const slugs = references(1500).map(({ slug }) => ({ stringValue: slug }))
    const attributes = [{ key: 'basalt.span.evaluators', value: { arrayValue: { values: slugs } } }]
    const largeSpan = jsonSpan({ traceId: '5'.repeat(32), spanId: '5'.repeat(16), attributes })
    const answer = await postJson(testApp, await newWorkspace(), jsonExport([largeSpan]))
    assert.equal(answer.status, 200)
    assert.match(answer.text, /"rejectedSpans":"0".*names 1500 evaluators; at most the first 1000 judge it/)
  })
})

describe('OpenTelemetry JSON (M4)', () => {
  it('is rejected before parsing if it nests deeper than 1,000 levels', async () => {
    const { key } = await newWorkspace()
    const answer = await testApp.send({
      method: 'POST',
      url: '/v1/traces',
      payload: `{"resourceSpans":${'['.repeat(1_500_000)}`,
      headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
    })
    assert.deepEqual(
      [answer.status, answer.text],
      [400, '{"error":"body: must not nest deeper than 1000 levels"}'],
    )
  })

  it('is read in the same way when it is large', async () => {
    const workspace = await newWorkspace()
    const fields = { attributes: [{ key: 'a', value: { stringValue: 'x'.repeat(3000) } }] }
    const spans = many(500, (index) =>
      jsonSpan({ traceId: '6'.repeat(32), spanId: (index + 1).toString(16).padStart(16, '0'), ...fields }),
    )
    const answer = await postJson(testApp, workspace, jsonExport(spans))
    assert.deepEqual([answer.status, answer.text], [200, '{}'])
  })
})
