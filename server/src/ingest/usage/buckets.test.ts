import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bucketsOf } from './buckets.ts'

const bucketsFor = (inputTokens: number | null, outputTokens: number | null, details?: unknown) =>
  bucketsOf({ inputTokens, outputTokens, details })

describe('bucketsOf', () => {
  it('counts all input as fresh and all output as text without further details', () => {
    assert.deepEqual(bucketsFor(100, 50), {
      buckets: { freshInput: 100, cacheRead: 0, cacheWrite: 0, textOutput: 50, reasoning: 0 },
      flags: [],
    })
    assert.deepEqual(bucketsFor(null, null).buckets.freshInput, 0)
  })

  it('subtracts cached tokens from the input and reasoning from the output', () => {
    const expected = {
      buckets: { freshInput: 300, cacheRead: 700, cacheWrite: 0, textOutput: 150, reasoning: 50 },
      flags: [],
    }
    const usages = [
      { cacheReadTokens: 700, reasoningTokens: 50 },
      {
        prompt_tokens: 1000,
        prompt_tokens_details: { cached_tokens: 700 },
        completion_tokens_details: { reasoning_tokens: 50 },
      },
      {
        input_tokens: 1000,
        input_tokens_details: { cached_tokens: 700 },
        output_tokens_details: { reasoning_tokens: 50 },
      },
      { cachedInputTokens: 700, reasoningTokens: 50 },
      {
        promptTokenCount: 1000,
        cachedContentTokenCount: 700,
        candidatesTokenCount: 150,
        thoughtsTokenCount: 50,
      },
    ]
    for (const details of usages)
      assert.deepEqual(bucketsFor(1000, 200, details), expected, JSON.stringify(details))
  })

  it('adds the cache to an Anthropic input, which excludes it', () => {
    const details = {
      input_tokens: 1000,
      cache_read_input_tokens: 700,
      cache_creation_input_tokens: 200,
      output_tokens: 5,
    }
    assert.deepEqual(bucketsFor(1000, 5, details), {
      buckets: { freshInput: 1000, cacheRead: 700, cacheWrite: 200, textOutput: 5, reasoning: 0 },
      flags: ['cache_outside_input'],
    })
  })

  it('subtracts the cache from an input to which the client had added it', () => {
    const details = { input_tokens: 100, cache_read_input_tokens: 700, cache_creation_input_tokens: 200 }
    assert.deepEqual(bucketsFor(1000, 5, details).buckets, {
      freshInput: 100,
      cacheRead: 700,
      cacheWrite: 200,
      textOutput: 5,
      reasoning: 0,
    })
    const gateway = { prompt_tokens: 1000, cache_read_input_tokens: 700, cache_creation_input_tokens: 0 }
    assert.equal(bucketsFor(1000, 5, gateway).buckets.freshInput, 300)
  })

  it('treats a cache larger than the input as separate, with a flag', () => {
    assert.deepEqual(bucketsFor(10, 5, { cacheReadTokens: 700 }), {
      buckets: { freshInput: 10, cacheRead: 700, cacheWrite: 0, textOutput: 5, reasoning: 0 },
      flags: ['cache_outside_input'],
    })
  })

  it("treats reasoning as separate from the output where it is: larger than it, or with Gemini's candidates", () => {
    assert.deepEqual(bucketsFor(10, 5, { reasoningTokens: 50 }).flags, ['reasoning_outside_output'])
    const { buckets, flags } = bucketsFor(10, 150, { candidatesTokenCount: 150, thoughtsTokenCount: 50 })
    assert.deepEqual([buckets.textOutput, buckets.reasoning, flags], [150, 50, ['reasoning_outside_output']])
  })

  it('keeps fractions, and ignores rounding errors', () => {
    assert.equal(bucketsFor(1.5, 0.25).buckets.freshInput, 1.5)
    const { buckets, flags } = bucketsFor(0.3, 0, { cacheReadTokens: 0.1, cacheWriteTokens: 0.2 })
    assert.deepEqual([buckets.freshInput, flags], [0, []])
  })

  it('treats numbers that cannot be counts as absent, with a flag', () => {
    const { buckets, flags } = bucketsFor(-5, Number.NaN, { cacheReadTokens: Number.POSITIVE_INFINITY })
    assert.deepEqual(Object.values(buckets), [0, 0, 0, 0, 0])
    assert.deepEqual(flags, ['ignored_number'])
  })

  it('makes buckets that add up to the reported tokens, or flags the difference', () => {
    const tokens = fc.integer({ min: 0, max: 1e9 })
    fc.assert(
      fc.property(
        tokens,
        tokens,
        tokens,
        tokens,
        tokens,
        (input, output, cacheReadTokens, cacheWriteTokens, reasoningTokens) => {
          const { buckets, flags } = bucketsFor(input, output, {
            cacheReadTokens,
            cacheWriteTokens,
            reasoningTokens,
          })
          const cached = flags.includes('cache_outside_input') ? cacheReadTokens + cacheWriteTokens : 0
          const reasoningOutside = flags.includes('reasoning_outside_output') ? reasoningTokens : 0
          assert.equal(buckets.freshInput + buckets.cacheRead + buckets.cacheWrite, input + cached)
          assert.equal(buckets.textOutput + buckets.reasoning, output + reasoningOutside)
        },
      ),
    )
  })

  it('makes finite buckets of at least 0 from anything', () => {
    const names = [
      'cacheReadTokens',
      'cache_read_input_tokens',
      'prompt_tokens_details',
      'reasoningTokens',
      'candidatesTokenCount',
    ]
    const details = fc.oneof(
      fc.anything(),
      fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.double(), fc.anything())),
    )
    fc.assert(
      fc.property(fc.double(), fc.double(), details, (input, output, usage) => {
        for (const tokens of Object.values(bucketsFor(input, output, usage).buckets)) assert.ok(tokens >= 0)
      }),
    )
  })
})
