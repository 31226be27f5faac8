import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ListedModel } from '../../server/src/ingest/usage/price-list-file.ts'
import { mergeLists } from './merge.ts'

const now = new Date('2026-11-22T00:00:00Z')
const merge = (models: readonly ListedModel[], second: Parameters<typeof mergeLists>[1]) => {
  const { providers, disagreements } = mergeLists([{ id: 'openai', models }], second, now)
  return { models: providers.find(({ id }) => id === 'openai')?.models ?? [], providers, disagreements }
}
const first: ListedModel = {
  id: 'gpt-4o',
  match: { starts_with: 'gpt-4o' },
  prices: { input_mtok: 2.5, output_mtok: 10 },
}

describe('merging two price lists', () => {
  it('adds what only the second list has for a model: audio, cache lifetimes, batches, tiers', () => {
    const { models, disagreements } = merge([first], {
      'gpt-4o': {
        litellm_provider: 'openai',
        input_cost_per_token: 2.5e-6,
        output_cost_per_token: 1e-5,
        input_cost_per_audio_token: 4e-5,
        input_cost_per_token_batches: 1.25e-6,
        output_cost_per_token_batches: 5e-6,
      },
    })
    assert.deepEqual(models, [
      {
        ...first,
        prices: { input_mtok: 2.5, output_mtok: 10, input_audio_mtok: 40 },
        price_variants: [{ when: { processing: 'batch' }, prices: { input_mtok: 1.25, output_mtok: 5 } }],
      },
    ])
    assert.deepEqual(disagreements, [])
  })

  it('keeps the first if they disagree, and reports the other price', () => {
    const { models, disagreements } = merge([first], {
      'gpt-4o': { litellm_provider: 'openai', input_cost_per_token: 3e-6, output_cost_per_token: 1e-5 },
    })
    assert.deepEqual(models[0]?.prices, first.prices)
    assert.deepEqual(models[0]?.disagreement, { source: 'litellm', input_mtok: 3, output_mtok: 10 })
    assert.deepEqual(disagreements, [{ model: 'openai/gpt-4o', listName: 'genai-prices' }])
  })

  it('uses the second if the first only matches a name prefix', () => {
    const { models } = merge([first], {
      'gpt-4o-mini': {
        litellm_provider: 'openai',
        input_cost_per_token: 1.5e-7,
        output_cost_per_token: 6e-7,
      },
    })
    assert.deepEqual(models[0]?.match, { equals: 'gpt-4o-mini' })
    assert.deepEqual(models[0]?.prices, { input_mtok: 0.15, output_mtok: 0.6 })
    assert.equal(models[1]?.id, 'gpt-4o')
  })

  it('adds models and providers that the first lacks, but no subscriptions', () => {
    const price = { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 }
    const { models, providers } = merge([first], {
      'openai/ft:davinci-002': { litellm_provider: 'openai', ...price },
      'dashscope/qwen-max': { litellm_provider: 'dashscope', ...price },
      'github_copilot/gpt-4o': { litellm_provider: 'github_copilot', input_cost_per_token: 0 },
      'dall-e-3': { litellm_provider: 'openai', input_cost_per_pixel: 1 },
    })
    assert.deepEqual(models[1]?.match ?? models[0]?.match, { starts_with: 'ft:davinci-002' })
    assert.deepEqual(
      providers.map(({ id }) => id),
      ['openai', 'dashscope'],
    )
    assert.equal(models.length, 2)
  })

  it('reads prices above a number of tokens as tiers', () => {
    const { models } = merge([], {
      'gemini-x': {
        litellm_provider: 'openai',
        input_cost_per_token: 1.25e-6,
        input_cost_per_token_above_200k_tokens: 2.5e-6,
        output_cost_per_token: 1e-5,
      },
    })
    assert.deepEqual(models[0]?.prices, {
      input_mtok: { base: 1.25, tiers: [{ start: 200_000, price: 2.5 }] },
      output_mtok: 10,
    })
  })
})
