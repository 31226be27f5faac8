import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logOf, rowsOf, spanOf } from '../../../../testing/otlp-spans.ts'
import type { Attributes } from '../span.ts'

describe("a span of the interface's own clients", () => {
  it('of the JavaScript client has its values as JSON text of any value', () => {
    const resource = { 'basalt.sdk.name': '@basalt-ai/sdk', 'basalt.sdk.version': '1.2.0' }
    const inputOf = (input: string) => logOf({ resource, attributes: { 'basalt.span.input': input } }).input
    assert.deepEqual(inputOf('{"question":"why"}'), { question: 'why' })
    assert.equal(inputOf('"42"'), '42')
    assert.equal(inputOf('42'), 42)
    assert.equal(inputOf('not JSON'), 'not JSON')
  })

  it('of the Python client has texts and scalars unchanged', () => {
    const resource = { 'basalt.sdk.type': 'python' }
    const inputOf = (input: string | number) =>
      logOf({ resource, attributes: { 'basalt.span.input': input } }).input
    assert.equal(inputOf('42'), '42')
    assert.equal(inputOf('"quoted"'), '"quoted"')
    assert.equal(inputOf(42), 42)
    assert.deepEqual(inputOf('{"question": "why"}'), { question: 'why' })
  })

  it('has its own kind, and a trace is a span', () => {
    const typeOf = (kind: string) => logOf({ attributes: { 'basalt.span.kind': kind } }).type
    for (const kind of ['span', 'generation', 'retrieval', 'function', 'tool', 'event'])
      assert.equal(typeOf(kind), kind)
    assert.equal(typeOf('basalt_trace'), 'span')
  })

  it('takes precedence over every other convention, except for the model of the call', () => {
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
    assert.deepEqual([type, model, input], ['generation', 'other', 'mine'])
  })

  // clients, finding 2
  it("has the model of the call, and the prompt's model only if no other is named", () => {
    const prompt = {
      'basalt.span.kind': 'generation',
      'basalt.prompt.model.model': 'gpt-4o-mini',
      'basalt.prompt.model.provider': 'open-ai',
    }
    const modelOf = (attributes: Attributes) => {
      const { model, provider } = logOf({ attributes: { ...prompt, ...attributes } })
      return [model, provider]
    }
    assert.deepEqual(modelOf({}), ['gpt-4o-mini', 'open-ai'])
    assert.deepEqual(modelOf({ 'gen_ai.request.model': 'gpt-4o-mini' }), ['gpt-4o-mini', 'open-ai'])
    assert.deepEqual(modelOf({ 'gen_ai.request.model': 'claude-sonnet-4-5' }), ['claude-sonnet-4-5', null])
  })

  // clients, finding 1
  it('with a summary of an instrumented call shows the conversation that the call itself recorded', () => {
    const summary = {
      'basalt.span.kind': 'generation',
      'basalt.span.input': '{"model":"gpt-4o-mini","system":"openai.chat","temperature":0}',
      'basalt.span.output': '{"response_id":"r1","finish_reasons":["stop"],"input_tokens":400}',
    }
    const message = (role: string, content: string) => [{ role, parts: [{ type: 'text', content }] }]
    const instrumented = logOf({
      attributes: {
        ...summary,
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.prompt.messages': '[{"role":"user","content":"Why?"}]',
        'ai.response.text': 'Because.',
      },
    })
    assert.deepEqual(
      [instrumented.input, instrumented.output],
      [message('user', 'Why?'), message('assistant', 'Because.')],
    )
    const bare = logOf({ attributes: summary })
    assert.deepEqual(bare.input, { model: 'gpt-4o-mini', system: 'openai.chat', temperature: 0 })
  })

  // clients, finding 3
  it('of its own requests contributes neither input nor errors to a trace', () => {
    const { trace, logs } = rowsOf(
      spanOf({ spanId: 'root', attributes: { 'basalt.root': true } }),
      spanOf({
        spanId: 'get',
        parentSpanId: 'root',
        name: 'basalt.prompt.get',
        attributes: { 'basalt.span.input': '{"slug":"joke"}' },
        status: { code: 2, message: 'not found' },
      }),
      spanOf({ parentSpanId: 'get', name: 'GET', status: { code: 2, message: '404' } }),
      spanOf({
        parentSpanId: 'root',
        attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.prompt.0.content': 'A joke, please.' },
      }),
    ).traces[0]!
    assert.match(trace.input!, /A joke, please/)
    assert.equal(trace.errors, 0)
    assert.equal(JSON.parse(logs[1]!.metadata!).error.message, 'not found')
  })

  // clients, finding 4
  it('of a service that another service called has the input that was set above its root', () => {
    const { traces } = rowsOf(
      spanOf({ spanId: 'a', name: 'service A', attributes: { 'basalt.root': true } }),
      spanOf({
        spanId: 'endpoint',
        parentSpanId: 'a',
        name: 'POST /endpoint',
        attributes: { 'basalt.in_trace': true, 'basalt.span.input': '{"question":"why"}' },
      }),
      spanOf({
        spanId: 'b',
        parentSpanId: 'endpoint',
        name: 'service B',
        attributes: { 'basalt.root': true },
      }),
    )
    assert.deepEqual(
      traces.map(({ trace }) => [trace.name, trace.input]),
      [
        ['service A', '{"question":"why"}'],
        ['service B', '{"question":"why"}'],
      ],
    )
  })

  it('has its user and organization, with the id for a missing name', () => {
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

  it('has metadata as JSON text and as keys, at the top level of the metadata', () => {
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

  it('of a tool, an event or a retrieval has its input and output', () => {
    const tool = logOf({ attributes: { 'basalt.tool.input': '{"at":1}', 'basalt.tool.output': '[2]' } })
    assert.deepEqual([tool.input, tool.output], [{ at: 1 }, [2]])
    assert.equal(logOf({ attributes: { 'basalt.retrieval.query': 'cats' } }).input, 'cats')
    assert.deepEqual(logOf({ attributes: { 'basalt.event.payload': '{"liked":true}' } }).input, {
      liked: true,
    })
  })

  it("has a root's evaluators on the trace, and its own on any other log", () => {
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
