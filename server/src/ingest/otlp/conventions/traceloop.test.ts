import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logOf, rowsOf, spanOf } from '../../../../testing/otlp-spans.ts'

describe('a Traceloop span', () => {
  it('is of its kind, and a generation if it names a requested model', () => {
    const typeOf = (name: string) => logOf({ attributes: { 'traceloop.span.kind': name } }).type
    assert.deepEqual(['tool', 'workflow', 'task', 'agent'].map(typeOf), ['tool', 'span', 'span', 'span'])
    assert.equal(logOf({ attributes: { 'llm.request.type': 'chat' } }).type, 'generation')
  })

  it('has messages in numbered attributes, with tool calls', () => {
    const { input, output, inputTokens, provider } = logOf({
      attributes: {
        'llm.request.type': 'chat',
        'gen_ai.system': 'OpenAI',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.prompt.0.role': 'user',
        'gen_ai.prompt.0.content':
          '[{"type":"text","text":"Weather?"},{"type":"image_url","image_url":{"url":"https://e.com/a.png"}}]',
        'gen_ai.prompt.1.role': 'assistant',
        'gen_ai.prompt.1.tool_calls.0.id': 'c1',
        'gen_ai.prompt.1.tool_calls.0.name': 'weather',
        'gen_ai.prompt.1.tool_calls.0.arguments': '{"city":"Paris"}',
        'gen_ai.prompt.2.role': 'tool',
        'gen_ai.prompt.2.tool_call_id': 'c1',
        'gen_ai.prompt.2.content': '{"sky":"sunny"}',
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.content': 'Sunny.',
        'gen_ai.completion.0.finish_reason': 'stop',
        'gen_ai.usage.prompt_tokens': 40,
        'gen_ai.usage.completion_tokens': 3,
        'llm.usage.total_tokens': 43,
      },
    })
    assert.deepEqual(input, [
      {
        role: 'user',
        parts: [
          { type: 'text', content: 'Weather?' },
          { type: 'uri', modality: 'image', uri: 'https://e.com/a.png' },
        ],
      },
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Paris' } }],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: { sky: 'sunny' } }] },
    ])
    assert.deepEqual(output, [
      { role: 'assistant', parts: [{ type: 'text', content: 'Sunny.' }], finish_reason: 'stop' },
    ])
    assert.deepEqual([inputTokens, provider], [40, 'OpenAI'])
  })

  it('has the user and the settings of a request, and no name of its own that is not understood', () => {
    const { traces } = rowsOf(
      spanOf({
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.user': 'user-1',
          'gen_ai.is_streaming': true,
          'gen_ai.headers': '{}',
          'llm.frequency_penalty': 0.5,
          'llm.presence_penalty': 0.25,
          'llm.top_k': 4,
          'llm.chat.stop_sequences': ['END'],
          'llm.request.reasoning_effort': 'low',
        },
      }),
    )
    const { trace, logs } = traces[0]!
    assert.equal(trace.userId, 'user-1')
    const { parameters, otel } = JSON.parse(logs[0]!.metadata!)
    assert.deepEqual(parameters, {
      frequency_penalty: 0.5,
      presence_penalty: 0.25,
      top_k: 4,
      stop_sequences: ['END'],
      reasoning_effort: 'low',
      stream: true,
    })
    assert.equal(otel.notUnderstood, undefined)
  })

  it('of a task has its input and output', () => {
    const { input, output } = logOf({
      attributes: {
        'traceloop.span.kind': 'task',
        'gen_ai.task.input': '{"city":"Lyon"}',
        'gen_ai.task.output': 'sunny',
      },
    })
    assert.deepEqual([input, output], [{ city: 'Lyon' }, 'sunny'])
  })

  it('of the Go SDK has its messages under separate names', () => {
    const { input, output } = logOf({
      attributes: {
        'llm.vendor': 'openai',
        'llm.request.type': 'chat',
        'llm.request.model': 'gpt-4o',
        'llm.prompts.0.role': 'user',
        'llm.prompts.0.content': 'Weather?',
        'llm.completions.0.role': 'assistant',
        'llm.completions.0.content': '',
        'llm.completions.0.tool_calls.0.id': 'c1',
        'llm.completions.0.tool_calls.0.name': 'weather',
        'llm.completions.0.tool_calls.0.arguments': '{"city":"Paris"}',
      },
    })
    assert.deepEqual(input, [{ role: 'user', parts: [{ type: 'text', content: 'Weather?' }] }])
    assert.deepEqual(output, [
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Paris' } }],
      },
    ])
  })

  it("of a workflow or a tool has its entity values, without LangChain's envelope", () => {
    const { input, output } = logOf({
      attributes: {
        'traceloop.span.kind': 'workflow',
        'traceloop.entity.input':
          '{"inputs":{"question":"why"},"tags":[],"metadata":{},"kwargs":{"name":"run"}}',
        'traceloop.entity.output': '{"outputs":{"answer":"so"},"kwargs":{"tags":[]}}',
      },
    })
    assert.deepEqual([input, output], [{ question: 'why' }, { answer: 'so' }])
  })

  it('of a vector store has the documents of its events', () => {
    const result = (id: string) => ({
      name: 'db.query.result',
      timeNs: 1n,
      attributes: { 'db.query.result.id': id, 'db.query.result.metadata': '{"page":1}' },
    })
    const { type, output } = logOf({
      attributes: { 'db.system': 'chroma' },
      events: [result('a'), result('b')],
    })
    assert.deepEqual(
      [type, output],
      [
        'retrieval',
        [
          { id: 'a', metadata: { page: 1 } },
          { id: 'b', metadata: { page: 1 } },
        ],
      ],
    )
  })

  it('has association properties as metadata, including the user and the session', () => {
    const prefix = 'traceloop.association.properties.'
    const { trace } = rowsOf(
      spanOf({
        attributes: { [`${prefix}user_id`]: 'u1', [`${prefix}session_id`]: 's1', [`${prefix}plan`]: 'pro' },
      }),
    ).traces[0]!
    assert.deepEqual([trace.userId, trace.sessionId, JSON.parse(trace.metadata!).plan], ['u1', 's1', 'pro'])
  })
})
