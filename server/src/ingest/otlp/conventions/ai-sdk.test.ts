import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logOf, rowsOf, spanOf } from '../../../../testing/otlp-spans.ts'

const scope = { name: 'ai', version: '', attributes: {} }
const model = { 'ai.model.provider': 'openai.responses', 'ai.model.id': 'gpt-5-mini' }

describe('an AI SDK span', () => {
  it('is a generation for the model call, a tool, or the step around them', () => {
    const typeOf = (operation: string) =>
      logOf({ scope, attributes: { 'ai.operationId': operation, ...model } }).type
    for (const operation of ['ai.generateText.doGenerate', 'ai.streamText.doStream', 'ai.embed.doEmbed']) {
      assert.equal(typeOf(operation), 'generation')
    }
    assert.deepEqual(['ai.toolCall', 'ai.rerank.doRerank', 'ai.generateText'].map(typeOf), [
      'tool',
      'retrieval',
      'span',
    ])
    const { type } = logOf({ scope, attributes: { 'operation.name': 'ai.streamText.doStream ask-weather' } })
    assert.equal(type, 'generation')
  })

  it('has messages, reasoning and tool calls, whose arguments version 4 names args', () => {
    const {
      input,
      output,
      provider,
      model: answered,
    } = logOf({
      scope,
      attributes: {
        ...model,
        'ai.operationId': 'ai.generateText.doGenerate',
        'gen_ai.system': 'openai.responses',
        'ai.response.model': 'gpt-5-mini-2025-08-07',
        'ai.prompt.messages': JSON.stringify([
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
          {
            role: 'assistant',
            content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: { city: 'Paris' } }],
          },
          {
            role: 'tool',
            content: [
              {
                type: 'tool-result',
                toolCallId: 'c1',
                toolName: 'weather',
                output: { type: 'json', value: { sky: 'sunny' } },
              },
            ],
          },
        ]),
        'ai.response.reasoning': 'Look again.',
        'ai.response.text': 'One moment.',
        'ai.response.toolCalls': JSON.stringify([
          { toolCallType: 'function', toolCallId: 'c2', toolName: 'weather', args: '{"city":"Rome"}' },
        ]),
        'ai.response.finishReason': 'tool-calls',
      },
    })
    assert.deepEqual(input.slice(2), [
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Paris' } }],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: 'c1', name: 'weather', response: { sky: 'sunny' } }],
      },
    ])
    assert.deepEqual(output, [
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Look again.' },
          { type: 'text', content: 'One moment.' },
          { type: 'tool_call', id: 'c2', name: 'weather', arguments: { city: 'Rome' } },
        ],
        finish_reason: 'tool-calls',
      },
    ])
    assert.deepEqual([provider, answered], ['openai', 'gpt-5-mini-2025-08-07'])
  })

  it('has tokens under the names of versions 4, 5 and 6', () => {
    const tokens = (attributes: Record<string, number | string>) => {
      const log = logOf({
        scope,
        attributes: { 'ai.operationId': 'ai.generateText.doGenerate', ...model, ...attributes },
      })
      return [
        log.inputTokens,
        log.freshInputTokens,
        log.cacheReadTokens,
        log.cacheWriteTokens,
        log.outputTokens,
        log.reasoningTokens,
      ]
    }
    assert.deepEqual(
      tokens({ 'ai.usage.promptTokens': 10, 'ai.usage.completionTokens': 5 }),
      [10, 10, 0, 0, 5, 0],
    )
    const fifth = {
      'ai.usage.inputTokens': 10,
      'ai.usage.cachedInputTokens': 4,
      'ai.usage.outputTokens': 5,
      'ai.usage.reasoningTokens': 2,
    }
    assert.deepEqual(tokens(fifth), [10, 6, 4, 0, 5, 2])
    const sixth = {
      'ai.usage.inputTokens': 10,
      'ai.usage.inputTokenDetails.cacheReadTokens': 3,
      'ai.usage.inputTokenDetails.cacheWriteTokens': 2,
      'ai.usage.outputTokens': 5,
      'ai.usage.outputTokenDetails.reasoningTokens': 1,
    }
    assert.deepEqual(tokens(sixth), [10, 5, 3, 2, 5, 1])
  })

  it("leaves Anthropic's cache out of an input that excludes it", () => {
    const usage = {
      input_tokens: 7,
      cache_creation_input_tokens: 2,
      cache_read_input_tokens: 5,
      output_tokens: 4,
    }
    const log = logOf({
      scope,
      attributes: {
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.model.provider': 'anthropic.messages',
        'ai.model.id': 'claude-sonnet-4-5',
        'ai.usage.inputTokens': 7,
        'ai.usage.cachedInputTokens': 5,
        'ai.usage.outputTokens': 4,
        'ai.response.providerMetadata': JSON.stringify({ anthropic: { usage, cacheCreationInputTokens: 2 } }),
      },
    })
    assert.deepEqual([log.freshInputTokens, log.cacheReadTokens, log.cacheWriteTokens], [7, 5, 2])
    assert.deepEqual(log.metadata.otel.flags, ['cache_outside_input'])
  })

  it("adds Bedrock's cache to an input of version 5, which excludes it, and not to one of version 6", () => {
    const buckets = (usage: object) => {
      const { freshInputTokens, cacheReadTokens, cacheWriteTokens } = logOf({
        scope,
        attributes: {
          'ai.operationId': 'ai.generateText.doGenerate',
          'ai.model.provider': 'amazon-bedrock',
          'ai.model.id': 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
          'ai.usage.outputTokens': 4,
          'ai.response.providerMetadata': JSON.stringify({
            bedrock: { usage: { cacheWriteInputTokens: 30 } },
          }),
          ...usage,
        },
      })
      return [freshInputTokens, cacheReadTokens, cacheWriteTokens]
    }
    const fifth = { 'ai.usage.inputTokens': 1000, 'ai.usage.cachedInputTokens': 500 }
    assert.deepEqual(buckets({ ...fifth, 'gen_ai.usage.input_tokens': 1000 }), [1000, 500, 30])
    const sixth = {
      'ai.usage.inputTokens': 1530,
      'ai.usage.cachedInputTokens': 500,
      'ai.usage.inputTokenDetails.noCacheTokens': 1000,
      'ai.usage.inputTokenDetails.cacheReadTokens': 500,
      'ai.usage.inputTokenDetails.cacheWriteTokens': 30,
    }
    assert.deepEqual(buckets(sixth), [1000, 500, 30])
  })

  it("of a tool has the tool's name, input and output", () => {
    const { name, input, output } = logOf({
      scope,
      name: 'ai.toolCall',
      attributes: {
        'ai.operationId': 'ai.toolCall',
        'ai.toolCall.name': 'weather',
        'ai.toolCall.args': '{"city":"Paris"}',
        'ai.toolCall.result': '{"sky":"sunny"}',
      },
    })
    assert.deepEqual([name, input, output], ['weather', { city: 'Paris' }, { sky: 'sunny' }])
  })

  it('of embeddings and objects has its values', () => {
    const embedded = logOf({
      scope,
      attributes: {
        'ai.operationId': 'ai.embedMany.doEmbed',
        'ai.values': ['"a"', '"b"'],
        'ai.embeddings': ['[1]', '[2]'],
        'ai.usage.tokens': 2,
      },
    })
    assert.deepEqual(
      [embedded.input, embedded.output],
      [
        ['a', 'b'],
        [[1], [2]],
      ],
    )
    assert.deepEqual([embedded.inputTokens, embedded.outputTokens], [2, 0])
    const object = {
      'ai.operationId': 'ai.generateObject',
      'ai.prompt': '{"system":"Be brief.","prompt":"A cat"}',
      'ai.response.object': '{"legs":4}',
    }
    const objectLog = logOf({ scope, attributes: object })
    assert.deepEqual(objectLog.output, { legs: 4 })
    assert.deepEqual(
      objectLog.input.map(({ role }: { role: string }) => role),
      ['system', 'user'],
    )
  })

  it('has metadata, including user and session, and names the trace by its function', () => {
    const prefix = 'ai.telemetry.metadata.'
    const { trace } = rowsOf(
      spanOf({
        scope,
        attributes: {
          'ai.operationId': 'ai.generateText',
          'ai.telemetry.functionId': 'ask-weather',
          [`${prefix}userId`]: 'u1',
          [`${prefix}sessionId`]: 's1',
          [`${prefix}plan`]: 'pro',
          'ai.settings.maxRetries': 2,
        },
      }),
    ).traces[0]!
    assert.deepEqual([trace.name, trace.userId, trace.sessionId], ['ask-weather', 'u1', 's1'])
    assert.deepEqual(JSON.parse(trace.metadata!), { plan: 'pro' })
  })
})
