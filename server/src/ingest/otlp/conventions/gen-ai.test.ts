import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logOf, rowsOf, spanOf } from '../../../../testing/otlp-spans.ts'

const text = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] })
const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' }
const event = (name: string, attributes: Record<string, string | number>) => ({
  name,
  timeNs: 1n,
  attributes,
})

describe('a span of the GenAI conventions', () => {
  it('has the type of its operation', () => {
    const typeOf = (operation: string) => logOf({ attributes: { 'gen_ai.operation.name': operation } }).type
    for (const operation of ['chat', 'text_completion', 'generate_content', 'embeddings']) {
      assert.equal(typeOf(operation), 'generation')
    }
    for (const operation of [
      'invoke_agent',
      'create_agent',
      'invoke_workflow',
      'agent_step',
      'plan',
      'create_memory',
      'unheard_of',
    ]) {
      assert.equal(typeOf(operation), 'span')
    }
    assert.deepEqual(['retrieval', 'search_memory', 'execute_tool'].map(typeOf), [
      'retrieval',
      'retrieval',
      'tool',
    ])
  })

  it('of Eino has its kind without an operation, its session, and no provider named like the framework', () => {
    const attributes = {
      'gen_ai.span.kind': 'chatmodel',
      'gen_ai.system': 'eino',
      'gen_ai.session.id': 's1',
      'gen_ai.prompt.0.content': 'Hi',
    }
    const { trace, logs } = rowsOf(spanOf({ attributes })).traces[0]!
    assert.deepEqual([trace.sessionId, logs[0]!.type, logs[0]!.provider], ['s1', 'generation', null])
    assert.equal(logOf({ attributes: { ...attributes, 'gen_ai.span.kind': 'tool' } }).type, 'tool')
  })

  it('without an operation is a tool if it names one, and a generation if it names a model', () => {
    assert.equal(logOf({ attributes: { 'gen_ai.tool.name': 'look' } }).type, 'tool')
    assert.equal(logOf({ attributes: { 'gen_ai.request.model': 'gpt-4o' } }).type, 'generation')
  })

  it('that failed has the model of its request, where Spring AI or LangChain4j report that the response has none', () => {
    const modelOf = (request: string, response: string) =>
      logOf({ attributes: { 'gen_ai.request.model': request, 'gen_ai.response.model': response } }).model
    assert.deepEqual(
      [modelOf('gpt-4o', 'none'), modelOf('none', 'none'), modelOf('gpt-4o', 'unknown')],
      ['gpt-4o', null, 'gpt-4o'],
    )
  })

  it('has the provider that only the events of its messages name', () => {
    const { provider } = logOf({
      attributes: { 'gen_ai.operation.name': 'generate_content', 'gen_ai.request.model': 'gemini-2.5-flash' },
      events: [
        {
          name: 'gen_ai.user.message',
          timeNs: 1n,
          attributes: { content: 'Hi', 'gen_ai.system': 'gcp.gemini' },
        },
      ],
    })
    assert.equal(provider, 'gcp.gemini')
  })

  it('has no attribute of the conventions that is not understood', () => {
    const attributes = {
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.embeddings.dimension.count': 256,
      'openai.api.type': 'responses',
      'openai.response.system_fingerprint': 'fp',
    }
    assert.deepEqual(rowsOf(spanOf({ attributes })).notUnderstood, {})
  })

  it('of the current version has its messages in attributes, the system instructions first', () => {
    const call = { type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Paris' } }
    const { input, output, model, provider } = logOf({
      attributes: {
        ...chat,
        'gen_ai.provider.name': 'openai',
        'gen_ai.response.model': 'gpt-4o-2024-08-06',
        'gen_ai.system_instructions': '[{"type":"text","content":"Be brief."}]',
        'gen_ai.input.messages': JSON.stringify([text('user', 'Weather in Paris?')]),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: [call], finish_reason: 'tool_call' },
        ]),
      },
    })
    assert.deepEqual(input, [text('system', 'Be brief.'), text('user', 'Weather in Paris?')])
    assert.deepEqual(output, [{ role: 'assistant', parts: [call], finish_reason: 'tool_call' }])
    assert.deepEqual([model, provider], ['gpt-4o-2024-08-06', 'openai'])
  })

  it('may have its messages as values instead of JSON text', () => {
    const { input } = logOf({ attributes: { ...chat, 'gen_ai.input.messages': [text('user', 'hi')] } })
    assert.deepEqual(input, [text('user', 'hi')])
  })

  it('of the previous version has its messages in events, which are named by role', () => {
    const { input, output } = logOf({
      attributes: chat,
      events: [
        event('gen_ai.system.message', { content: 'Be brief.' }),
        event('gen_ai.user.message', { content: '[{"text":"Hello"}]' }),
        event('gen_ai.tool.message', { id: 'c1', content: 'sunny' }),
        event('gen_ai.choice', {
          index: 0,
          finish_reason: 'stop',
          message: '{"role":"assistant","content":"Hi"}',
        }),
      ],
    })
    assert.deepEqual(input, [
      text('system', 'Be brief.'),
      text('user', 'Hello'),
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'sunny' }] },
    ])
    assert.deepEqual(output, [{ ...text('assistant', 'Hi'), finish_reason: 'stop' }])
  })

  it('may have the body of an event in a single attribute, or the blocks of a choice as its message', () => {
    const { input, output } = logOf({
      attributes: chat,
      events: [
        event('gen_ai.user.message', { 'gen_ai.event.content': '{"role":"user","content":"Hello"}' }),
        event('gen_ai.choice', {
          message: '[{"text":"Hi"},{"toolUse":{"toolUseId":"t","name":"look","input":{"at":1}}}]',
        }),
      ],
    })
    assert.deepEqual(input, [text('user', 'Hello')])
    assert.deepEqual(output[0].parts, [
      { type: 'text', content: 'Hi' },
      { type: 'tool_call', id: 't', name: 'look', arguments: { at: 1 } },
    ])
  })

  it('of early versions has its messages in `gen_ai.prompt` and `gen_ai.completion`, as text or as events', () => {
    const { input, output } = logOf({
      attributes: {
        ...chat,
        'gen_ai.prompt': 'Hello',
        'gen_ai.completion': '[{"role":"assistant","content":"Hi"}]',
      },
    })
    assert.deepEqual([input, output], [[text('user', 'Hello')], [text('assistant', 'Hi')]])
    const log = logOf({
      attributes: chat,
      events: [
        event('gen_ai.content.prompt', { 'gen_ai.prompt': 'Hello' }),
        event('gen_ai.content.completion', { 'gen_ai.completion': 'Hi' }),
      ],
    })
    assert.deepEqual([log.input, log.output], [[text('user', 'Hello')], [text('assistant', 'Hi')]])
  })

  it('of a tool has its arguments and its result', () => {
    const { type, input, output } = logOf({
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.call.arguments': '{"city":"Paris"}',
        'gen_ai.tool.call.result': 'sunny',
      },
    })
    assert.deepEqual([type, input, output], ['tool', { city: 'Paris' }, 'sunny'])
  })

  it('of a retrieval has its query and the retrieved documents', () => {
    const { input, output } = logOf({
      attributes: {
        'gen_ai.operation.name': 'retrieval',
        'gen_ai.retrieval.query.text': 'cats',
        'gen_ai.retrieval.documents': '[{"id":"d1","score":0.9}]',
      },
    })
    assert.deepEqual([input, output], ['cats', [{ id: 'd1', score: 0.9 }]])
  })

  it('of a memory has its query and the retrieved records, or the records that it stores', () => {
    const records = [{ id: 'm1', content: 'Ada likes tea' }]
    const valuesOf = (operation: string, attributes: Record<string, string> = {}) => {
      const { input, output } = logOf({
        attributes: {
          'gen_ai.operation.name': operation,
          'gen_ai.memory.records': JSON.stringify(records),
          ...attributes,
        },
      })
      return [input, output]
    }
    const query = { 'gen_ai.memory.query.text': 'what does Ada like?' }
    assert.deepEqual(valuesOf('search_memory', query), ['what does Ada like?', records])
    assert.deepEqual(valuesOf('upsert_memory'), [records, null])
  })

  it('has the variables of its prompt', () => {
    const { variables, metadata } = logOf({
      attributes: {
        ...chat,
        'gen_ai.prompt.name': 'greet',
        'gen_ai.prompt.variable.city': 'Lyon',
        'gen_ai.prompt.variable.user.name': 'Ada',
      },
    })
    assert.deepEqual(JSON.parse(variables!), [
      { label: 'city', value: 'Lyon' },
      { label: 'user.name', value: 'Ada' },
    ])
    assert.equal(metadata.otel.notUnderstood, undefined)
  })

  it('has the error that its own exception event reports', () => {
    const { metadata } = logOf({
      attributes: { ...chat, 'error.type': 'RateLimitError' },
      status: { code: 2, message: '' },
      events: [
        event('gen_ai.client.operation.exception', {
          'exception.type': 'openai.RateLimitError',
          'exception.message': 'slow down',
        }),
      ],
    })
    assert.deepEqual(metadata.error, { type: 'openai.RateLimitError', message: 'slow down' })
  })

  it('has parameters in any place, and text tokens without a marker', () => {
    const { logs } = rowsOf(
      spanOf({
        attributes: {
          'gen_ai.operation.name': 'retrieval',
          'gen_ai.retrieval.top_k': 4,
          'gen_ai.embeddings.dimension.count': 256,
          'gen_ai.output.type': 'json',
          'gen_ai.openai.request.seed': 7,
          'gen_ai.usage.text.input_tokens': 8,
          'gen_ai.usage.text.output_tokens': 2,
          'gen_ai.usage.text.cache_read.input_tokens': 1,
        },
      }),
    ).traces[0]!
    const { parameters, otel } = JSON.parse(logs[0]!.metadata!)
    assert.deepEqual(parameters, { top_k: 4, dimensions: 256, output_type: 'json', seed: 7 })
    assert.equal(otel.notUnderstood, undefined)
  })

  it('keeps the reported cost, the request parameters, the session and the user', () => {
    const { trace, logs } = rowsOf(
      spanOf({
        attributes: {
          ...chat,
          'gen_ai.usage.cost': 0.25,
          'gen_ai.request.temperature': 0.2,
          'gen_ai.conversation.id': 's1',
          'enduser.id': 'u1',
        },
      }),
    ).traces[0]!
    assert.deepEqual([logs[0]!.cost, trace.cost, trace.sessionId, trace.userId], [0.25, 0.25, 's1', 'u1'])
    assert.deepEqual(JSON.parse(logs[0]!.metadata!).parameters, { temperature: 0.2 })
  })

  it('of OpenLIT includes its cache in the input, except for Anthropic and Bedrock', () => {
    const bucketsOf = (scopeName: string) => {
      const log = logOf({
        scope: { name: scopeName, version: '1', attributes: {} },
        attributes: {
          ...chat,
          'gen_ai.usage.input_tokens': 104,
          'gen_ai.usage.output_tokens': 40,
          'gen_ai.usage.total_tokens': 144,
          'gen_ai.usage.cache_read.input_tokens': 64,
          'gen_ai.usage.cache_creation.input_tokens': 32,
        },
      })
      return [log.inputTokens, log.freshInputTokens, log.cacheReadTokens, log.cacheWriteTokens]
    }
    assert.deepEqual(bucketsOf('openlit.instrumentation.anthropic'), [200, 104, 64, 32])
    assert.deepEqual(bucketsOf('openlit.instrumentation.bedrock'), [200, 104, 64, 32])
    assert.deepEqual(bucketsOf('openlit.instrumentation.openai'), [104, 8, 64, 32])
  })

  it('of Spring AI includes its cache in the input, except for Anthropic', () => {
    const bucketsOf = (system: string) => {
      const log = logOf({
        scope: { name: 'org.springframework.boot', version: '4', attributes: {} },
        attributes: {
          ...chat,
          'gen_ai.system': system,
          'gen_ai.usage.input_tokens': '104',
          'gen_ai.usage.output_tokens': '40',
          'gen_ai.usage.total_tokens': '144',
          'gen_ai.usage.cache_read.input_tokens': '64',
        },
      })
      return [log.inputTokens, log.freshInputTokens, log.cacheReadTokens]
    }
    assert.deepEqual(bucketsOf('anthropic'), [168, 104, 64])
    assert.deepEqual(bucketsOf('openai'), [104, 40, 64])
  })

  it('is recognized by its name if an exporter removed its attributes', () => {
    const { type, model } = logOf({ name: 'chat gpt-4o-mini' })
    assert.deepEqual([type, model], ['generation', 'gpt-4o-mini'])
    assert.equal(logOf({ name: 'chat with a friend' }).type, 'span')
  })
})
