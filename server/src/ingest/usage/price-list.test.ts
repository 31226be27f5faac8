import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { shippedPrices } from './price-list.ts'
import { isConditional, type ModelPrices, type PriceListFile } from './price-list-file.ts'

const shipped = JSON.parse(
  readFileSync(new URL('../../../prices/prices.json', import.meta.url), 'utf8'),
) as PriceListFile
const { names } = JSON.parse(
  readFileSync(new URL('../../../../fixtures/prices/model-names.json', import.meta.url), 'utf8'),
) as { names: [provider: string | null, model: string, inputPerMillion: number, outputPerMillion: number][] }

const time = new Date('2026-11-22T12:00:00Z')
const baseOf = (prices: ModelPrices, key: string): number => {
  const price = prices[key] ?? 0
  return typeof price === 'object' ? price.base : price
}
const isClose = (first: number, second: number): boolean =>
  Math.abs(first - second) <= 0.011 * Math.max(first, second)

describe('the price list', () => {
  it('has a date as its version, and the sources that it was merged from', () => {
    assert.match(shippedPrices().source().version, /^20\d\d-\d\d-\d\d$/)
    assert.deepEqual(
      shipped.sources.map(({ name, license }) => [name, license]),
      [
        ['genai-prices', 'MIT'],
        ['litellm', 'MIT'],
      ],
    )
  })

  it('has prices of 0 or more, tiers in order, and rules that can be read', () => {
    for (const { id, models } of shipped.providers)
      for (const model of models) {
        const variants = model.price_variants ?? []
        const all = [
          ...(isConditional(model.prices) ? model.prices : [{ prices: model.prices }]),
          ...variants,
        ]
        assert.ok(all.length > 0, `${id}/${model.id}`)
        for (const { prices } of all)
          for (const price of Object.values(prices)) {
            const tiers = typeof price === 'object' ? price.tiers : []
            assert.ok(
              [baseOf({ price }, 'price'), ...tiers.map((tier) => tier.price)].every((value) => value >= 0),
            )
            assert.deepEqual(
              tiers.map(({ start }) => start),
              tiers.map(({ start }) => start).toSorted((a, b) => a - b),
            )
          }
        if ('regex' in model.match)
          assert.doesNotThrow(() => new RegExp((model.match as { regex: string }).regex))
      }
  })
})

describe('model names as clients, frameworks and gateways write them (numbers, finding 7)', () => {
  it('have a price in all but 2 % of the cases that a public list prices, and the same price', () => {
    const missing = names.filter(([provider, model]) => shippedPrices().find(provider, model, time) === null)
    assert.ok(names.length >= 300)
    assert.ok(missing.length <= 0.02 * names.length, JSON.stringify(missing))
    for (const [provider, model, input, output] of names) {
      const price = shippedPrices().find(provider, model, time)
      if (price === null || price.isDisputed) continue
      const prices = [baseOf(price.prices, 'input_mtok'), baseOf(price.prices, 'output_mtok')]
      assert.ok(isClose(prices[0]!, input) && isClose(prices[1]!, output), `${provider} ${model}: ${prices}`)
    }
  })

  it('show whether the provider is known, or was derived from the name of the model', () => {
    assert.equal(shippedPrices().find('openai', 'gpt-4o', time)?.isProviderKnown, true)
    assert.equal(shippedPrices().find(null, 'openai:gpt-4o', time)?.isProviderKnown, true)
    assert.equal(shippedPrices().find(null, 'gpt-4o', time)?.isProviderKnown, false)
    const elsewhere = shippedPrices().find('openai', 'claude-sonnet-4-5', time)
    assert.deepEqual([elsewhere?.provider, elsewhere?.isProviderKnown], ['anthropic', false])
  })

  it('keep the Bedrock region, which has a price of its own', () => {
    const inputOf = (model: string) =>
      baseOf(shippedPrices().find('aws.bedrock', model, time)?.prices ?? {}, 'input_mtok')
    assert.equal(inputOf('anthropic.claude-haiku-4-5-20251001-v1:0'), 1)
    assert.equal(inputOf('us.anthropic.claude-haiku-4-5-20251001-v1:0'), 1.1)
    assert.equal(inputOf('eu.amazon.nova-lite-v1:0'), 0.078)
    assert.equal(inputOf('amazon.titan-embed-text-v2:0'), 0.02)
  })

  it('of unknown models have no price', () => {
    for (const model of ['', ':', '/', 'ft:', 'openai/', 'my-own-model', 'models/', 'a'.repeat(5000)])
      assert.equal(shippedPrices().find(null, model, time), null, model)
    assert.equal(shippedPrices().find('acme', 'acme-large', time), null)
  })
})
