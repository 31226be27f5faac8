import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logOf, rowsOf, spanOf } from '../../../../testing/otlp-spans.ts'

describe("a span of the interface's own clients", () => {
  it('of the JavaScript client has its values as JSON text of anything', () => {
    const resource = { 'basalt.sdk.name': '@basalt-ai/sdk', 'basalt.sdk.version': '1.2.0' }
    const inputOf = (input: string) => logOf({ resource, attributes: { 'basalt.span.input': input } }).input
    assert.deepEqual(inputOf('{"question":"why"}'), { question: 'why' })
    assert.equal(inputOf('"42"'), '42')
    assert.equal(inputOf('42'), 42)
    assert.equal(inputOf('not JSON'), 'not JSON')
  })

  it('of the Python client has texts and scalars as they are', () => {
    const resource = { 'basalt.sdk.type': 'python' }
    const inputOf = (input: string | number) =>
      logOf({ resource, attributes: { 'basalt.span.input': input } }).input
    assert.equal(inputOf('42'), '42')
    assert.equal(inputOf('"quoted"'), '"quoted"')
    assert.equal(inputOf(42), 42)
    assert.deepEqual(inputOf('{"question": "why"}'), { question: 'why' })
  })

  it('is of the kind it says, a trace being a span', () => {
    const typeOf = (kind: string) => logOf({ attributes: { 'basalt.span.kind': kind } }).type
    for (const kind of ['span', 'generation', 'retrieval', 'function', 'tool', 'event'])
      assert.equal(typeOf(kind), kind)
    assert.equal(typeOf('basalt_trace'), 'span')
  })

  it('goes before every other convention', () => {
    const { type, model, input } = logOf({
      attributes: {
        'basalt.span.kind': 'generation',
        'basalt.prompt.model.model': 'gpt-4o',
        'basalt.span.input': 'mine',
        'openinference.span.kind': 'TOOL',
        'gen_ai.request.model': 'other',
        'input.value': 'theirs',
      },
    })
    assert.deepEqual([type, model, input], ['generation', 'gpt-4o', 'mine'])
  })

  it('tells who it was for, a missing name being the id', () => {
    const { trace } = rowsOf(
      spanOf({
        attributes: {
          'basalt.user.id': 'u1',
          'basalt.organization.id': 'o1',
          'basalt.organization.name': 'Acme',
        },
      }),
    ).traces[0]!
    assert.deepEqual([trace.userId, trace.userName], ['u1', 'u1'])
    assert.deepEqual([trace.organizationId, trace.organizationName], ['o1', 'Acme'])
  })

  it('carries metadata as JSON text and as keys, at the top of the metadata', () => {
    const { metadata } = logOf({
      attributes: { 'basalt.metadata': '{"plan":"pro","seats":3}', 'basalt.meta.region': 'eu' },
    })
    assert.deepEqual([metadata.plan, metadata.seats, metadata.region], ['pro', 3, 'eu'])
    assert.equal(metadata.otel.attributes['basalt.metadata'], '{"plan":"pro","seats":3}')
  })

  it('may name its session in its metadata', () => {
    const { trace } = rowsOf(spanOf({ attributes: { 'basalt.metadata': '{"sessionId":"s1"}' } })).traces[0]!
    assert.equal(trace.sessionId, 's1')
  })

  it('of a tool, an event and a retrieval has what went in and came out', () => {
    const tool = logOf({ attributes: { 'basalt.tool.input': '{"at":1}', 'basalt.tool.output': '[2]' } })
    assert.deepEqual([tool.input, tool.output], [{ at: 1 }, [2]])
    assert.equal(logOf({ attributes: { 'basalt.retrieval.query': 'cats' } }).input, 'cats')
    assert.deepEqual(logOf({ attributes: { 'basalt.event.payload': '{"liked":true}' } }).input, {
      liked: true,
    })
  })

  it('has the evaluators of a root on the trace, and its own on any other log', () => {
    const evaluators = (...slugs: string[]) => ({ 'basalt.span.evaluators': slugs })
    const { trace, logs } = rowsOf(
      spanOf({ spanId: 'root', attributes: evaluators('tone') }),
      spanOf({ parentSpanId: 'root', attributes: evaluators('safety', 'safety') }),
    ).traces[0]!
    assert.deepEqual(
      [trace.evaluators, logs[0]!.evaluators, logs[1]!.evaluators],
      ['[{"slug":"tone"}]', null, '[{"slug":"safety"}]'],
    )
  })
})
