import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { factsOfLog } from '../monitor/worker/log-facts.ts'
import { reportedTokens } from './reported-tokens.ts'

const tokensOf = (usage: unknown) => Object.values(reportedTokens(usage))

describe('a usage object', () => {
  it('is read under the names of each provider and library', () => {
    for (const usage of [
      { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
      { input_tokens: 7, output_tokens: 3, input_tokens_details: { cached_tokens: 2 } },
      { input_tokens: 7, output_tokens: 3, cache_read_input_tokens: 5 },
      { promptTokenCount: 7, candidatesTokenCount: 3 },
      { inputTokens: 7, outputTokens: 3, totalTokens: 10 },
      { promptTokens: 7, completionTokens: 3 },
    ]) {
      assert.deepEqual(tokensOf(usage), [7, 3], JSON.stringify(usage))
    }
  })

  it("includes Gemini's thoughts in the output, which its OpenAI-compatible responses have only in the total", () => {
    const chat = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1170 }
    assert.deepEqual(tokensOf(chat), [1000, 170])
    assert.deepEqual(tokensOf({ ...chat, prompt_tokens_details: { cached_tokens: 0 } }), [1000, 170])
    // For these, the remainder of the total is known.
    for (const details of [
      { completion_tokens_details: { reasoning_tokens: 70 } },
      { cache_read_input_tokens: 70 },
      { prompt_tokens_details: { cached_tokens: 70 } },
      { total_tokens: 1000 },
    ])
      assert.deepEqual(tokensOf({ ...chat, ...details }), [1000, 100], JSON.stringify(details))
  })

  it('gives nothing for other values or invalid numbers', () => {
    for (const usage of [null, undefined, 'x', 7, [], {}, { prompt_tokens: '7' }, { input_tokens: -1 }])
      assert.deepEqual(tokensOf(usage), [null, null])
  })

  it('in the metadata of a generation counts as sent if the generation has no tokens itself', () => {
    const usageOf = (fields: object) => {
      const { usage } = factsOfLog({ id: 'a', type: 'generation', ...fields }, undefined)
      return [usage?.inputTokens, usage?.outputTokens]
    }
    const metadata = { usage: { prompt_tokens: 7, completion_tokens: 3 } }
    assert.deepEqual(usageOf({ metadata }), [7, 3])
    assert.deepEqual(usageOf({ metadata, inputTokens: 1 }), [1, 3])
    assert.deepEqual(usageOf({ metadata: { usage: 'high' } }), [null, null])
  })
})
