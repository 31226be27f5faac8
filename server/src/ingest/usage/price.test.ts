import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Buckets } from './buckets.ts'
import { type CostDetail, priceUsage, type UsageToPrice } from './price.ts'
import { shippedPrices } from './price-list.ts'
import type { PriceOverride } from './price-override.ts'

const nothing: Buckets = { freshInput: 0, cacheRead: 0, cacheWrite: 0, textOutput: 0, reasoning: 0 }
const million: Buckets = { ...nothing, freshInput: 1e6, textOutput: 1e6 }

function price(
  fields: Partial<Omit<UsageToPrice, 'buckets'>> & { buckets?: Partial<Buckets> },
): CostDetail | null {
  const buckets = fields.buckets ? { ...nothing, ...fields.buckets } : million
  return priceUsage({
    provider: null,
    model: null,
    time: new Date('2026-06-01T00:00:00Z'),
    overrides: [],
    ...fields,
    buckets,
  })
}

describe('priceUsage', () => {
  it('returns the prices, the list and the model that it matched', () => {
    const cost = price({
      provider: 'open-ai',
      model: 'gpt-4o',
      buckets: { freshInput: 1000, cacheRead: 2000, textOutput: 100, reasoning: 50 },
    })
    assert.deepEqual(cost, {
      total: 0.0025 + 0.0025 + 0.001 + 0.0005,
      currency: 'USD',
      source: 'price-list',
      list: shippedPrices().source(),
      overrideId: null,
      effectiveDate: null,
      provider: 'openai',
      model: 'gpt-4o',
      serviceTier: null,
      parts: [
        { bucket: 'freshInput', tokens: 1000, pricePerMillion: 2.5, cost: 0.0025 },
        { bucket: 'cacheRead', tokens: 2000, pricePerMillion: 1.25, cost: 0.0025 },
        { bucket: 'textOutput', tokens: 100, pricePerMillion: 10, cost: 0.001 },
        { bucket: 'reasoning', tokens: 50, pricePerMillion: 10, cost: 0.0005 },
      ],
      notes: [],
      isEstimate: false,
    })
  })

  it('prices the output of a model that makes only images as images, whether or not the usage says so', () => {
    for (const bucket of ['textOutput', 'imageOutput'] as const) {
      const cost = price({
        provider: 'azure',
        model: 'gpt-image-1',
        buckets: { freshInput: 1000, [bucket]: 4160 },
      })
      assert.deepEqual([cost?.total, cost?.notes], [0.005 + 0.1664, []], bucket)
    }
  })

  it('recognizes providers by the names that clients send', () => {
    const namedModels: [string, string, string][] = [
      ['open-ai', 'gpt-4o', 'openai'],
      ['OpenAI', 'gpt-4o', 'openai'],
      ['anthropic', 'claude-sonnet-4-5', 'anthropic'],
      ['mistral', 'mistral-large-latest', 'mistral'],
      ['gemini', 'gemini-2.5-pro', 'google'],
      ['google', 'gemini-2.5-pro', 'google'],
      ['azure', 'gpt-4o', 'azure'],
      ['azure-openai', 'gpt-4o', 'azure'],
      ['bedrock', 'anthropic.claude-3-5-sonnet-20241022-v2:0', 'aws'],
      ['xai', 'grok-4', 'x-ai'],
      ['deepseek', 'deepseek-chat', 'deepseek'],
    ]
    for (const [provider, model, expected] of namedModels) {
      const cost = price({ provider, model })
      assert.equal(cost?.provider, expected, provider)
      assert.ok(cost.total > 0 && !cost.notes.includes('provider_not_known'), provider)
    }
  })

  it('looks up the model by its name alone if the provider is absent or unknown, with a note', () => {
    for (const provider of [null, '', 'our-gateway', 'hugging-face']) {
      const cost = price({ provider, model: 'gpt-4o' })
      assert.deepEqual([cost?.total, cost?.notes, cost?.isEstimate], [12.5, ['provider_not_known'], true])
    }
    assert.equal(price({ provider: 'litellm', model: 'mistral/mistral-large-latest' })?.provider, 'mistral')
  })

  it('has no price for an unknown model, nor without a model', () => {
    assert.equal(price({ provider: 'open-ai', model: 'no-such-model' }), null)
    assert.equal(price({ model: 'no-such-model' }), null)
    assert.equal(price({ model: null }), null)
    assert.equal(price({ model: '' }), null)
  })

  it('costs nothing for no tokens, and ignores numbers that cannot be counts', () => {
    assert.deepEqual(price({ model: 'gpt-4o', buckets: {} })?.parts, [])
    const odd = { freshInput: Number.NaN, textOutput: -1, reasoning: Number.POSITIVE_INFINITY }
    assert.equal(price({ model: 'gpt-4o', buckets: odd })?.total, 0)
  })

  it('uses the price of the day', () => {
    const o3 = (time: string) => price({ provider: 'openai', model: 'o3', time: new Date(time) })
    assert.equal(o3('2025-06-09T23:59:59.999Z')?.total, 50)
    assert.equal(o3('2025-06-10T00:00:00Z')?.total, 10)
    assert.equal(o3('2025-06-10T00:00:00Z')?.effectiveDate, '2025-06-10')
    assert.equal(o3('2025-06-01T00:00:00Z')?.effectiveDate, null)
  })

  it('uses the price of the hour if there is one', () => {
    const totalAt = (hour: string) =>
      price({ provider: 'deepseek', model: 'deepseek-v4-flash', time: new Date(`2026-10-01T${hour}:00Z`) })!
        .total
    assert.ok(totalAt('18:00') > 0 && totalAt('18:00') < totalAt('09:00'))
  })

  it('prices every token by the size of the whole input if the price has tiers', () => {
    const sonnet = (freshInput: number, cacheRead: number) =>
      price({
        provider: 'google',
        model: 'gemini-2.5-pro',
        buckets: { freshInput, cacheRead, textOutput: 1e6 },
      })
    assert.deepEqual(
      sonnet(100_000, 100_000)?.parts.map((part) => part.pricePerMillion),
      [1.25, 0.125, 10],
    )
    assert.deepEqual(
      sonnet(100_000, 100_001)?.parts.map((part) => part.pricePerMillion),
      [2.5, 0.25, 15],
    )
    assert.deepEqual(sonnet(200_000, 200_000)?.notes, ['long_context_price'])
    assert.deepEqual(sonnet(100_000, 100_000)?.notes, [])
    // A Bedrock batch has a price, although cache reads, of which there are none here, have none.
    const batch = price({
      provider: 'bedrock',
      model: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
      serviceTier: 'batch',
      buckets: { freshInput: 300_000, textOutput: 1000 },
    })
    assert.ok(batch?.notes.includes('service_tier_price') && !batch.notes.includes('long_context_price'))
  })

  it('prices a cached token as input if the list has no other price, with a note', () => {
    const cost = price({
      provider: 'openai',
      model: 'gpt-4o-2024-05-13',
      buckets: { cacheRead: 1e6, cacheWrite: 1e6 },
    })
    assert.deepEqual(
      [cost?.total, cost?.notes],
      [10, ['cache_read_priced_as_input', 'cache_write_priced_as_input']],
    )
  })

  it('is linear in tokens, and exactly the sum of its parts', () => {
    const tokens = fc.integer({ min: 0, max: 1e9 })
    fc.assert(
      fc.property(tokens, tokens, tokens, (freshInput, cacheRead, textOutput) => {
        const cost = price({ model: 'gpt-4o', buckets: { freshInput, cacheRead, textOutput } })
        const twice = price({
          model: 'gpt-4o',
          buckets: { freshInput: 2 * freshInput, cacheRead: 2 * cacheRead, textOutput: 2 * textOutput },
        })
        assert.equal(twice?.total, 2 * (cost?.total ?? -1))
        assert.equal(
          cost?.parts.reduce((sum, part) => sum + part.cost, 0),
          cost?.total,
        )
      }),
    )
    const onlyInput = price({ model: 'gpt-4o', buckets: { freshInput: 1e6 } })
    const mixed = price({ model: 'gpt-4o', buckets: { freshInput: 2e6, textOutput: 1e6 } })
    assert.equal(mixed?.total, (onlyInput?.total ?? 0) + (price({ model: 'gpt-4o' })?.total ?? 0))
  })

  it('notes where the sources of the list disagree', () => {
    const reasoner = price({ provider: 'deepseek', model: 'deepseek-reasoner' })
    assert.deepEqual(
      reasoner?.parts.map((part) => part.pricePerMillion),
      [0.28, 0.42],
    )
    assert.deepEqual(reasoner?.notes, ['price_lists_disagree'])
    assert.equal(reasoner?.isEstimate, true)
  })
})

describe('priceUsage with the prices of a workspace', () => {
  const override = (id: string, model: string, more: Partial<PriceOverride> = {}): PriceOverride => ({
    id,
    model,
    inputPerMillion: 1,
    outputPerMillion: 2,
    ...more,
  })
  const priceWith = (overrides: PriceOverride[], usage: Parameters<typeof price>[0] = {}) =>
    price({ provider: 'open-ai', model: 'gpt-4o', ...usage, overrides })?.overrideId

  it('take precedence over the list, also for a model that the list does not have', () => {
    const cost = price({
      model: 'our-own',
      buckets: { freshInput: 1e6, cacheRead: 1e6, reasoning: 1e6 },
      overrides: [override('a', 'our-*')],
    })
    assert.deepEqual([cost?.total, cost?.source, cost?.overrideId, cost?.list], [4, 'override', 'a', null])
    const own = override('a', 'our-*', {
      cacheReadPerMillion: 0,
      cacheWritePerMillion: 5,
      reasoningPerMillion: 9,
    })
    const all = { freshInput: 1e6, cacheRead: 1e6, cacheWrite: 1e6, textOutput: 1e6, reasoning: 1e6 }
    assert.equal(price({ model: 'our-own', buckets: all, overrides: [own] })?.total, 1 + 0 + 5 + 2 + 9)
  })

  it('match the most specific one: the whole name, the longer pattern, the one that names the provider', () => {
    const all = [
      override('whole', 'GPT-4o'),
      override('provider', 'gpt-*', { provider: 'openai' }),
      override('pattern', 'gpt-*'),
      override('any', '*'),
    ]
    for (const [index, expected] of ['whole', 'provider', 'pattern', 'any'].entries()) {
      assert.equal(priceWith(all.slice(index)), expected)
      assert.equal(priceWith(all.slice(index).reverse()), expected)
    }
    assert.equal(priceWith([override('other', 'gpt-4o', { provider: 'azure' })]), null)
  })

  it('use the latest one that has started', () => {
    const all = ['2026-01-01', '2026-05-01', '2026-07-01'].map((day) =>
      override(day, 'gpt-4o', { startsAt: new Date(day) }),
    )
    assert.equal(priceWith(all), '2026-05-01')
    assert.equal(priceWith(all.toReversed(), { time: new Date('2026-01-01') }), '2026-01-01')
    assert.equal(priceWith(all, { time: new Date('2025-12-31') }), null)
    assert.equal(
      priceWith([override('always', 'gpt-4o'), ...all], { time: new Date('2025-12-31') }),
      'always',
    )
  })

  it('match patterns piece by piece', () => {
    const patterns: [string, boolean][] = [
      ['g*4*o', true],
      ['gpt-4o*', true],
      ['*4', false],
      ['*gpt-4o*', true],
      ['gpt-4o*o', false],
      ['**', true],
      ['gpt-*-4o', false],
    ]
    for (const [pattern, isMatch] of patterns)
      assert.equal(priceWith([override('x', pattern)]) === 'x', isMatch, pattern)
  })
})
