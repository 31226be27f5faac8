import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logOf } from '../../../../testing/otlp-spans.ts'

const call = (model: string, attributes: Record<string, unknown>) =>
  logOf({ attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.response.model': model, ...attributes } })

describe('audio, long-lived cache writes and tiers of spans (numbers, finding 5)', () => {
  it('audio of Pydantic AI, OpenInference and the GenAI conventions is charged at its own price: 0.0655 dollars', () => {
    const pydantic = call('gpt-4o-audio-preview', {
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 500,
      'gen_ai.usage.details.input_audio_tokens': 800,
      'gen_ai.usage.details.output_audio_tokens': 400,
    })
    const openInference = call('gpt-4o-audio-preview', {
      'openinference.span.kind': 'LLM',
      'llm.token_count.prompt': 1000,
      'llm.token_count.completion': 500,
      'llm.token_count.prompt_details.audio': 800,
      'llm.token_count.completion_details.audio': 400,
    })
    const genAi = call('gpt-4o-audio-preview', {
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 500,
      'gen_ai.usage.audio.input_tokens': 800,
      'gen_ai.usage.audio.output_tokens': 400,
    })
    for (const log of [pydantic, openInference, genAi]) {
      assert.deepEqual(log.otherTokens, { audioInput: 800, audioOutput: 400 })
      assert.deepEqual([log.freshInputTokens, log.textOutputTokens], [200, 100])
      assert.ok(Math.abs((log.cost ?? 0) - 0.0655) < 1e-9)
    }
  })

  it('audio and cached tokens are each in one bucket', () => {
    const usage = {
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 0,
      'gen_ai.usage.cache_read.input_tokens': 384,
    }
    const pydantic = call('gpt-realtime', {
      ...usage,
      'gen_ai.usage.details.input_audio_tokens': 800,
      'gen_ai.usage.details.cache_audio_read_tokens': 256,
    })
    const genAi = call('gpt-realtime', {
      ...usage,
      'gen_ai.usage.audio.input_tokens': 800,
      'gen_ai.usage.audio.cache_read.input_tokens': 256,
    })
    for (const log of [pydantic, genAi]) {
      assert.deepEqual([log.freshInputTokens, log.cacheReadTokens], [72, 128])
      assert.deepEqual(log.otherTokens, { audioInput: 544, cacheReadAudio: 256 })
    }
  })

  it('cache writes by lifetime count beside attributes that report other parts, and 0 writes', () => {
    const usage = {
      input_tokens: 2700,
      output_tokens: 100,
      input_token_details: {
        cache_creation: 0,
        ephemeral_5m_input_tokens: 1000,
        ephemeral_1h_input_tokens: 500,
      },
    }
    for (const writes of [{}, { 'gen_ai.usage.cache_creation_input_tokens': 0 }]) {
      const log = call('claude-sonnet-4-5', {
        'langsmith.span.kind': 'llm',
        'langsmith.metadata.usage_metadata': JSON.stringify(usage),
        'gen_ai.usage.cache_read_input_tokens': 200,
        ...writes,
      })
      assert.deepEqual(
        [log.freshInputTokens, log.cacheReadTokens, log.cacheWriteTokens, log.otherTokens],
        [1000, 200, 1000, { cacheWriteHour: 500 }],
      )
    }
  })

  it('images under the names of the GenAI conventions are subtracted from the text', () => {
    const log = call('gpt-image-1', {
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 500,
      'gen_ai.usage.cache_read.input_tokens': 300,
      'gen_ai.usage.image.input_tokens': 600,
      'gen_ai.usage.image.cache_read.input_tokens': 200,
      'gen_ai.usage.image.output_tokens': 500,
    })
    assert.deepEqual(log.otherTokens, { imageInput: 400, cacheReadImage: 200, imageOutput: 500 })
    assert.deepEqual([log.freshInputTokens, log.cacheReadTokens, log.textOutputTokens], [300, 100, 0])
  })

  it('cache writes for an hour are distinguished from short ones', () => {
    const log = call('claude-sonnet-4-5', {
      'gen_ai.usage.input_tokens': 11_000,
      'gen_ai.usage.output_tokens': 500,
      'gen_ai.usage.cache_creation.input_tokens': 10_000,
      'gen_ai.usage.cache_creation.ephemeral_1h_input_tokens': 10_000,
    })
    assert.deepEqual(log.otherTokens, { cacheWriteHour: 10_000 })
    assert.ok(Math.abs((log.cost ?? 0) - 0.0705) < 1e-9)
  })

  it("cache writes and the tier of the Anthropic SDK's own spans are read", () => {
    const log = call('claude-sonnet-4-5', {
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.usage.input_tokens': 11_000,
      'gen_ai.usage.output_tokens': 100,
      'gen_ai.usage.cache_creation.input_tokens': 10_000,
      'anthropic.usage.cache_creation.ephemeral_1h_input_tokens': 10_000,
      'anthropic.usage.cache_creation.ephemeral_5m_input_tokens': 0,
      'anthropic.request.service_tier': 'auto',
      'anthropic.response.service_tier': 'batch',
    })
    assert.deepEqual([log.otherTokens, log.serviceTier], [{ cacheWriteHour: 10_000 }, 'batch'])
    assert.equal(log.metadata.otel.notUnderstood, undefined)
  })

  it('the tier of the response takes precedence over the requested one', () => {
    const usage = { 'gen_ai.usage.input_tokens': 10_000, 'gen_ai.usage.output_tokens': 1000 }
    const standard = call('gpt-5.1', usage)
    const flex = call('gpt-5.1', { ...usage, 'openai.response.service_tier': 'flex' })
    const downgraded = call('gpt-5.1', {
      ...usage,
      'openai.request.service_tier': 'flex',
      'openai.response.service_tier': 'default',
    })
    const own = call('gpt-5.1', { ...usage, 'plumbline.service_tier': 'batch' })
    const requested = ['openai.request.service_tier', 'anthropic.request.service_tier']
    for (const name of requested)
      assert.equal(call('gpt-5.1', { ...usage, [name]: 'flex' }).serviceTier, 'flex')
    assert.deepEqual([standard.cost, flex.cost, own.cost], [0.0225, 0.01125, 0.01125])
    assert.deepEqual([flex.serviceTier, own.serviceTier], ['flex', 'batch'])
    assert.deepEqual([downgraded.cost, downgraded.serviceTier], [0.0225, null])
  })
})
