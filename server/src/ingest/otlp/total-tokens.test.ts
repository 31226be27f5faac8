import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logOf } from '../../../testing/otlp-spans.ts'

const bucketsOf = (usage: Readonly<Record<string, number>>) => {
  const attributes = Object.fromEntries(
    Object.entries(usage).map(([key, value]) => [`gen_ai.usage.${key}`, value]),
  )
  const log = logOf({ attributes: { 'gen_ai.operation.name': 'chat', ...attributes } })
  return [
    log.freshInputTokens,
    log.cacheReadTokens,
    log.cacheWriteTokens,
    log.textOutputTokens,
    log.reasoningTokens,
  ]
}

// otlp, captures of section 1
describe('a reported total', () => {
  it('above input and output includes the tokens of thoughts, which no other number reports', () => {
    assert.deepEqual(bucketsOf({ input_tokens: 10, output_tokens: 20, total_tokens: 45 }), [10, 0, 0, 20, 15])
    assert.deepEqual(
      bucketsOf({ input_tokens: 10, output_tokens: 20, reasoning_tokens: 15, total_tokens: 45 }),
      [10, 0, 0, 20, 15],
    )
  })

  it('above both by exactly the cache shows that the input excludes the cache', () => {
    assert.deepEqual(
      bucketsOf({
        input_tokens: 10,
        output_tokens: 20,
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 2,
        total_tokens: 36,
      }),
      [10, 4, 2, 20, 0],
    )
  })

  it('equal to both, below both, or with unclear parts changes nothing', () => {
    for (const total_tokens of [30, 25])
      assert.deepEqual(bucketsOf({ input_tokens: 10, output_tokens: 20, total_tokens }), [10, 0, 0, 20, 0])
    assert.deepEqual(
      bucketsOf({ input_tokens: 10, output_tokens: 20, reasoning_tokens: 5, total_tokens: 45 }),
      [10, 0, 0, 15, 5],
    )
  })

  it('of thoughts may be listed among the details', () => {
    assert.deepEqual(
      bucketsOf({ input_tokens: 10, output_tokens: 20, 'details.thoughts_tokens': 5 }),
      [10, 0, 0, 15, 5],
    )
  })
})
