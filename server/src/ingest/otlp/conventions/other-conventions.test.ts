/** LangSmith, Langfuse, Pydantic AI, Google ADK, CrewAI, MLflow and smaller conventions. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logOf, rowsOf, spanOf } from '../../../../testing/otlp-spans.ts'

const text = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] })

describe('a LangSmith span', () => {
  const lc = (kind: string, kwargs: object) => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain_core', 'messages', kind],
    kwargs,
  })

  it("has LangChain's messages, which are nested by run and by class", () => {
    const calls = [{ name: 'weather', args: { city: 'Paris' }, id: 'c1', type: 'tool_call' }]
    const { type, model, input, output } = logOf({
      attributes: {
        'langsmith.span.kind': 'llm',
        'gen_ai.operation.name': 'chat',
        'langsmith.metadata.ls_model_name': 'gpt-4o',
        'gen_ai.prompt': JSON.stringify({
          messages: [
            [
              lc('SystemMessage', { content: 'Be brief.' }),
              lc('HumanMessage', { content: 'Weather?', type: 'human' }),
            ],
          ],
        }),
        'gen_ai.completion': JSON.stringify({
          generations: [
            [{ text: '', message: lc('AIMessage', { content: '', tool_calls: calls, type: 'ai' }) }],
          ],
        }),
      },
    })
    assert.deepEqual([type, model], ['generation', 'gpt-4o'])
    assert.deepEqual(input, [text('system', 'Be brief.'), text('user', 'Weather?')])
    assert.deepEqual(output, [
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Paris' } }],
      },
    ])
  })

  it('has the value that a run returned, which others may name output too', () => {
    const outputOf = (attributes: Record<string, string>) =>
      logOf({ attributes: { 'gen_ai.completion': '{"output":"ok"}', ...attributes } }).output
    assert.equal(outputOf({ 'langsmith.span.kind': 'chain' }), 'ok')
    assert.deepEqual(outputOf({ 'gen_ai.operation.name': 'invoke_agent' }), { output: 'ok' })
  })

  it('has its own kind, regardless of the exported operation', () => {
    const typeOf = (kind: string, operation: string) =>
      logOf({ attributes: { 'langsmith.span.kind': kind, 'gen_ai.operation.name': operation } }).type
    assert.deepEqual(
      [typeOf('retriever', 'embeddings'), typeOf('prompt', 'chat'), typeOf('chain', 'chain')],
      ['retrieval', 'span', 'span'],
    )
  })

  it('has the thread as its session, and not the project, which LangSmith calls a session', () => {
    const { sessionId } = rowsOf(
      spanOf({
        attributes: { 'langsmith.trace.session_name': 'default', 'langsmith.metadata.thread_id': 't1' },
      }),
    ).traces[0]!.trace
    assert.equal(sessionId, 't1')
  })
})

describe('a Langfuse span', () => {
  it('has its kind, model, values, disjoint tokens and cost', () => {
    const log = logOf({
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.model.name': 'gpt-4o',
        'langfuse.observation.input': '[{"role":"user","content":"Hello"}]',
        'langfuse.observation.output': 'Hi',
        'langfuse.observation.usage_details':
          '{"input":10,"input_cached_tokens":90,"output":5,"output_reasoning_tokens":2,"total":107}',
        'langfuse.observation.cost_details': '{"input":0.1,"output":0.2,"total":0.3}',
        'langfuse.observation.metadata.plan': 'pro',
        'langfuse.observation.model.parameters': '{"temperature":0}',
      },
    })
    assert.deepEqual([log.type, log.model, log.cost], ['generation', 'gpt-4o', 0.3])
    assert.deepEqual([log.input, log.output], [[text('user', 'Hello')], [text('assistant', 'Hi')]])
    assert.deepEqual([log.inputTokens, log.freshInputTokens, log.cacheReadTokens], [100, 10, 90])
    assert.deepEqual([log.outputTokens, log.textOutputTokens], [7, 5])
    assert.deepEqual([log.metadata.plan, log.metadata.parameters], ['pro', { temperature: 0 }])
  })

  it('has the cache writes that LangChain reports by lifetime', () => {
    const log = logOf({
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.model.name': 'claude-sonnet-4-5',
        'langfuse.observation.usage_details': JSON.stringify({
          input: 1000,
          output: 500,
          input_cache_read: 4000,
          input_cache_creation: 0,
          input_ephemeral_5m_input_tokens: 2000,
          input_ephemeral_1h_input_tokens: 3000,
        }),
      },
    })
    assert.deepEqual([log.inputTokens, log.freshInputTokens, log.cacheReadTokens], [10_000, 1000, 4000])
    assert.deepEqual([log.cacheWriteTokens, log.otherTokens], [2000, { cacheWriteHour: 3000 }])
  })

  it('may describe its trace on any span', () => {
    const { trace } = rowsOf(
      spanOf({ spanId: 'root', name: 'root' }),
      spanOf({
        parentSpanId: 'root',
        attributes: {
          'langfuse.trace.name': 'answer',
          'langfuse.trace.input': '{"question":"why"}',
          'langfuse.trace.tags': ['a'],
          'langfuse.trace.metadata.plan': 'pro',
          'langfuse.user.id': 'u1',
          'langfuse.observation.level': 'ERROR',
          'langfuse.observation.status_message': 'quota',
        },
      }),
    ).traces[0]!
    assert.deepEqual(
      [trace.name, trace.input, trace.userId, trace.errors],
      ['answer', '{"question":"why"}', 'u1', 1],
    )
    assert.deepEqual(JSON.parse(trace.metadata!), { tags: ['a'], plan: 'pro' })
  })
})

describe('a Pydantic AI span', () => {
  const scope = { name: 'pydantic-ai', version: '1', attributes: {} }

  it('of an agent has the question and the final result, and is not a generation', () => {
    const { type, input, output } = logOf({
      scope,
      attributes: {
        agent_name: 'helper',
        model_name: 'gpt-4o',
        'pydantic_ai.all_messages': JSON.stringify([text('user', 'Hello'), text('assistant', 'Hi')]),
        final_result: '{"answer":"Hi"}',
      },
    })
    assert.deepEqual([type, input, output], ['span', [text('user', 'Hello')], { answer: 'Hi' }])
  })

  it('of a tool has its arguments and its response', () => {
    const { type, input, output } = logOf({
      scope,
      attributes: { 'gen_ai.tool.name': 'roll', tool_arguments: '{"sides":6}', tool_response: '4' },
    })
    assert.deepEqual([type, input, output], ['tool', { sides: 6 }, '4'])
  })

  it('ignores names without a prefix on spans of others', () => {
    assert.equal(logOf({ attributes: { tool_arguments: '{"sides":6}' } }).input, null)
  })
})

describe('a Google ADK span', () => {
  it("has Gemini's request and response as messages, and its usage", () => {
    const log = logOf({
      attributes: {
        'gen_ai.system': 'gcp.vertex.agent',
        'gen_ai.request.model': 'gemini-2.0-flash',
        'gcp.vertex.agent.session_id': 's1',
        'gcp.vertex.agent.llm_request': JSON.stringify({
          model: 'gemini-2.0-flash',
          config: { system_instruction: 'Be brief.' },
          contents: [
            { role: 'user', parts: [{ text: 'Hello' }] },
            { role: 'model', parts: [{ function_call: { name: 'greet', args: { to: 'Ada' } } }] },
            { role: 'user', parts: [{ function_response: { name: 'greet', response: { said: 'Hi' } } }] },
          ],
        }),
        'gcp.vertex.agent.llm_response': JSON.stringify({
          content: { role: 'model', parts: [{ text: 'Hi' }] },
          usage_metadata: { prompt_token_count: 9, candidates_token_count: 2, thoughts_token_count: 3 },
        }),
      },
    })
    assert.deepEqual(
      [log.type, log.provider, log.inputTokens, log.outputTokens, log.reasoningTokens],
      ['generation', 'gcp.gemini', 9, 5, 3],
    )
    assert.deepEqual(log.input, [
      text('system', 'Be brief.'),
      text('user', 'Hello'),
      { role: 'assistant', parts: [{ type: 'tool_call', name: 'greet', arguments: { to: 'Ada' } }] },
      { role: 'user', parts: [{ type: 'tool_call_response', name: 'greet', response: { said: 'Hi' } }] },
    ])
    assert.deepEqual(log.output, [text('assistant', 'Hi')])
  })

  it('in Java has the cached tokens and the thoughts, which only the response reports', () => {
    const { inputTokens, outputTokens, cacheReadTokens, reasoningTokens } = logOf({
      attributes: {
        'gen_ai.system': 'gcp.vertex.agent',
        'gen_ai.request.model': 'gemini-2.5-flash',
        'gen_ai.usage.input_tokens': 200,
        'gen_ai.usage.output_tokens': 24,
        'gcp.vertex.agent.llm_request': '{"model":"gemini-2.5-flash","contents":[]}',
        'gcp.vertex.agent.llm_response': JSON.stringify({
          content: { parts: [{ text: 'Hi' }], role: 'model' },
          usageMetadata: {
            cachedContentTokenCount: 64,
            candidatesTokenCount: 24,
            promptTokenCount: 200,
            thoughtsTokenCount: 16,
            totalTokenCount: 240,
          },
        }),
      },
    })
    assert.deepEqual([inputTokens, outputTokens, cacheReadTokens, reasoningTokens], [200, 40, 64, 16])
  })

  it('of a tool has its arguments and response, not the empty request beside them', () => {
    const { type, input, output } = logOf({
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gcp.vertex.agent.llm_request': '{}',
        'gcp.vertex.agent.tool_call_args': '{"to":"Ada"}',
        'gcp.vertex.agent.tool_response': '{"said":"Hi"}',
      },
    })
    assert.deepEqual([type, input, output], ['tool', { to: 'Ada' }, { said: 'Hi' }])
  })
})

describe('an MLflow span', () => {
  it('has values, kind and tokens, all JSON text', () => {
    const log = logOf({
      attributes: {
        'mlflow.spanType': '"CHAT_MODEL"',
        'mlflow.spanInputs': '{"messages":[{"role":"user","content":"Hello"}],"model":"gpt-4o"}',
        'mlflow.spanOutputs':
          '{"choices":[{"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}',
        'mlflow.chat.tokenUsage': '{"input_tokens":3,"output_tokens":1,"total_tokens":4}',
      },
    })
    assert.deepEqual([log.type, log.inputTokens, log.outputTokens], ['generation', 3, 1])
    assert.deepEqual(log.input, [text('user', 'Hello')])
    assert.deepEqual(log.output, [{ ...text('assistant', 'Hi'), finish_reason: 'stop' }])
  })
})

describe('a span of a smaller framework', () => {
  it('has its values under the names of its framework', () => {
    const scoresOf = (attributes: Record<string, string>) => {
      const { type, input, output } = logOf({ attributes })
      return [type, input, output]
    }
    assert.deepEqual(
      scoresOf({ 'genkit:metadata:subtype': 'flow', 'genkit:input': '{"a":1}', 'genkit:output': '"b"' }),
      ['span', { a: 1 }, 'b'],
    )
    assert.deepEqual(
      scoresOf({ 'haystack.component.input': '{"a":1}', 'haystack.component.output': '{"b":2}' }),
      ['span', { a: 1 }, { b: 2 }],
    )
    assert.deepEqual(scoresOf({ 'mcp.method.name': 'tools/call', 'mcp.response.value': '{"b":2}' }), [
      'tool',
      null,
      { b: 2 },
    ])
    assert.deepEqual(scoresOf({ crew_key: 'k', crew_inputs: '{"topic":"cats"}', crew_output: 'purr' }), [
      'span',
      { topic: 'cats' },
      'purr',
    ])
    assert.deepEqual(scoresOf({ input: 'a', output: 'b' }), ['span', 'a', 'b'])
  })
})

describe('a Genkit span', () => {
  it('keeps truncated values, which are no longer valid JSON', () => {
    const { input, output } = logOf({
      attributes: {
        'genkit:metadata:subtype': 'flow',
        'genkit:input': '{"question":"Wh',
        'genkit:output': 'null',
      },
    })
    assert.deepEqual([input, output], ['{"question":"Wh', null])
  })

  it('of a tool in Go has the returned value, without an envelope', () => {
    const outputOf = (output: object) =>
      logOf({
        attributes: { 'genkit:metadata:subtype': 'tool.v2', 'genkit:output': JSON.stringify(output) },
      }).output
    assert.equal(outputOf({ output: '21 °C' }), '21 °C')
    const withImage = { output: '21 °C', content: [{ media: { url: 'https://e.com/a.png' } }] }
    assert.deepEqual(outputOf(withImage), withImage)
  })

  it('of the step around a model has the messages, not the whole request and response', () => {
    const { input, output } = logOf({
      attributes: {
        'genkit:metadata:subtype': 'util',
        'genkit:name': 'generate',
        'genkit:input': '{"messages":[{"role":"user","content":[{"text":"Hi"}]}],"tools":[{"name":"look"}]}',
        'genkit:output': '{"message":{"role":"model","content":[{"text":"Hello"}]},"finishReason":"stop"}',
      },
    })
    const say = (role: string, content: string) => [{ role, parts: [{ type: 'text', content }] }]
    assert.deepEqual([input, output], [say('user', 'Hi'), say('assistant', 'Hello')])
  })

  it('of a model has the provider that prefixes its name', () => {
    const { model, provider } = logOf({
      attributes: { 'genkit:metadata:subtype': 'model', 'genkit:name': 'openai/gpt-4o' },
    })
    assert.deepEqual([model, provider], ['gpt-4o', 'openai'])
  })

  it('of a model has its usage, and the step around it does not repeat it', () => {
    const output = JSON.stringify({ message: {}, usage: { inputTokens: 5, outputTokens: 2 } })
    const tokensOf = (kind: string) =>
      logOf({ attributes: { 'genkit:metadata:subtype': kind, 'genkit:output': output } }).inputTokens
    assert.deepEqual([tokensOf('model'), tokensOf('util')], [5, null])
  })
})

describe('a LangChain4j span', () => {
  it('has its tokens, whose names have no prefix, and the provider under its usual name', () => {
    const { traces, notUnderstood } = rowsOf(
      spanOf({
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'OPEN_AI',
          'gen_ai.request.model': 'gpt-4o-mini',
          input_tokens: '120',
          outcome: 'SUCCESS',
          output_tokens: '20',
        },
      }),
    )
    const { provider, inputTokens, outputTokens, tokensEstimated } = traces[0]!.logs[0]!
    assert.deepEqual([provider, inputTokens, outputTokens, tokensEstimated], ['openai', 120, 20, false])
    assert.deepEqual(notUnderstood, {})
  })
})

describe('a Spring AI span', () => {
  it('that makes an image is a generation, even without the name of a model', () => {
    const attributes = { 'gen_ai.operation.name': 'image', 'gen_ai.request.model': 'none' }
    assert.equal(logOf({ attributes }).type, 'generation')
  })

  it('that is a tool has its arguments and its result, even if its operation names the framework', () => {
    for (const operation of ['execute_tool', 'framework']) {
      const { type, input, output } = logOf({
        attributes: {
          'gen_ai.operation.name': operation,
          'spring.ai.kind': 'tool_call',
          'spring.ai.tool.call.arguments': '{"city":"Lyon"}',
          'spring.ai.tool.call.result': '"21 C"',
        },
      })
      assert.deepEqual([type, input, output], ['tool', { city: 'Lyon' }, '21 C'])
    }
  })

  it('that is a chat has the session', () => {
    const { trace } = rowsOf(
      spanOf({
        attributes: { 'spring.ai.kind': 'chat_client', 'spring.ai.chat.client.conversation.id': 's' },
      }),
    ).traces[0]!
    assert.equal(trace.sessionId, 's')
  })
})

describe('a LiveKit span', () => {
  it('has its content under the current names, which mark it as personal, and under the earlier ones', () => {
    for (const prefix of ['lk.pii.', 'lk.']) {
      const valuesOf = (attributes: Record<string, string>) => {
        const { type, input, output } = logOf({
          attributes: Object.fromEntries(
            Object.entries(attributes).map(([name, value]) => [prefix + name, value]),
          ),
        })
        return [type, input, output]
      }
      assert.deepEqual(valuesOf({ user_transcript: 'Hello' }), ['span', 'Hello', null])
      assert.deepEqual(valuesOf({ user_input: 'Hello' }), ['span', 'Hello', null])
      assert.deepEqual(valuesOf({ input_text: 'Hi' }), ['span', 'Hi', null])
      assert.deepEqual(valuesOf({ chat_ctx: '{"items":[]}', 'response.text': 'Hi' }), [
        'span',
        { items: [] },
        'Hi',
      ])
    }
    const { type, input, output } = logOf({
      attributes: {
        'lk.function_tool.name': 'get_weather',
        'lk.pii.function_tool.arguments': '{"city":"Lyon"}',
        'lk.pii.function_tool.output': '21',
      },
    })
    assert.deepEqual([type, input, output], ['tool', { city: 'Lyon' }, '21'])
  })

  it('of a model call has the seconds to its first token', () => {
    const { timeToFirstTokenMs } = logOf({
      attributes: { 'gen_ai.operation.name': 'chat', 'lk.response.ttft': 0.12 },
    })
    assert.equal(timeToFirstTokenMs, 120)
  })
})

describe('a Pipecat span', () => {
  const scope = { name: 'pipecat', version: '', attributes: {} }
  const root = spanOf({ scope, attributes: { 'conversation.id': 'c1', 'conversation.type': 'voice' } })
  const call = (operation: string, attributes: Record<string, number | string>) =>
    rowsOf(
      root,
      spanOf({
        scope,
        name: operation,
        parentSpanId: root.spanId,
        attributes: { 'gen_ai.operation.name': operation, 'gen_ai.request.model': 'gpt-4o', ...attributes },
      }),
    ).traces[0]!

  it('that transcribes has its transcript, its user and the time to its first word, and no counted tokens', () => {
    const { trace, logs } = call('stt', { transcript: 'Weather?', user_id: 'u1', 'metrics.ttfb': 0.1 })
    const { output, timeToFirstTokenMs, tokensEstimated } = logs.find(({ name }) => name === 'stt')!
    assert.deepEqual(
      [JSON.parse(output!), timeToFirstTokenMs, tokensEstimated],
      [[text('assistant', 'Weather?')], 100, false],
    )
    assert.deepEqual([trace.userId, trace.sessionId, trace.outputTokens], ['u1', 'c1', 0])
  })

  it('that speaks has the spoken text', () => {
    const { input } = call('tts', { text: 'It is 21 °C.' }).logs.find(({ name }) => name === 'tts')!
    assert.deepEqual(JSON.parse(input!), [text('user', 'It is 21 °C.')])
  })
})
