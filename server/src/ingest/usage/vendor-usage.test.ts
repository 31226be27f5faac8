/** Costs of usages in the formats of model providers, compared with those of genai-prices (fixtures/prices/vendor_usage.py). */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { createTemplateCache } from '../../workspace/template-cache.ts'
import { factsOfLog } from '../monitor/worker/log-facts.ts'
import { makeLogRow } from '../monitor/worker/make-log-row.ts'
import type { CostDetail } from './price.ts'
import { tierPricesOf } from './service-tier.ts'

interface VendorCase {
  readonly provider: string
  readonly flavor: string
  readonly body: Readonly<Record<string, unknown>>
  readonly cost: number
}

const { time, cases } = JSON.parse(
  readFileSync(new URL('../../../../fixtures/prices/vendor-usage.json', import.meta.url), 'utf8'),
) as { time: string; cases: VendorCase[] }
const traceOfLog = {
  workspaceId: 'w',
  traceId: '01985f3c-0000-7000-8000-000000000001',
  traceStartUs: BigInt(Date.parse(time)) * 1000n,
  featureSlug: null,
  experimentId: null,
  userId: null,
  organizationId: null,
}
const context = { overrides: [], templates: createTemplateCache() }

const rowOf = (metadata: Record<string, unknown>) => {
  const log = factsOfLog({ id: 'g', type: 'generation', metadata }, undefined)
  return makeLogRow(traceOfLog, log, 0, context)
}

/** The metadata as an application records it: the usage object, the model, the provider and the tier. */
function metadataOf({ provider, body }: VendorCase): Record<string, unknown> {
  const response = body.response as { readonly usage: unknown } | undefined
  return {
    provider,
    model: body.model ?? body.modelVersion,
    usage: body.usage ?? body.usageMetadata ?? response?.usage,
    ...(body.service_tier === undefined ? {} : { service_tier: body.service_tier }),
    ...(body.processing === undefined ? {} : { serviceTier: body.processing }),
  }
}

describe('usage in the formats of model providers (numbers, findings 3 and 5)', () => {
  it('covers at least six providers', () => {
    assert.ok(new Set(cases.map(({ provider }) => provider)).size >= 6)
  })

  for (const [index, vendorCase] of cases.entries()) {
    const { provider, flavor, body, cost } = vendorCase
    const model = String(body.model ?? body.modelVersion)
    it(`${index + 1}: ${provider} (${flavor}), ${model}, costs what genai-prices computes`, () => {
      const row = rowOf(metadataOf(vendorCase))
      const detail = row.costDetail === null ? 'no cost' : row.costDetail
      assert.ok(Math.abs((row.cost ?? -1) - cost) < 1e-9, `${row.cost} in place of ${cost}: ${detail}`)
    })
  }
})

describe('prices of audio, cache lifetimes and tiers (numbers, finding 5)', () => {
  const detailOf = (metadata: Record<string, unknown>) =>
    JSON.parse(rowOf(metadata).costDetail!) as CostDetail

  it('audio has its own price: gpt-4o-audio-preview at 40 and 80 dollars', () => {
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 500,
      prompt_tokens_details: { audio_tokens: 800 },
      completion_tokens_details: { audio_tokens: 400 },
    }
    const metadata = { provider: 'openai', model: 'gpt-4o-audio-preview', usage }
    assert.ok(Math.abs((rowOf(metadata).cost ?? 0) - 0.0655) < 1e-9)
    assert.deepEqual(rowOf(metadata).otherTokens, { audioInput: 800, audioOutput: 400 })
    assert.deepEqual(detailOf(metadata).notes, [])
  })

  it('audio without a price of its own counts as text, with a note on the cost', () => {
    const usage = { prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details: { audio_tokens: 50 } }
    const detail = detailOf({ provider: 'mistral', model: 'mistral-medium-latest', usage })
    assert.deepEqual([detail.notes.includes('audio_priced_as_text'), detail.isEstimate], [true, true])
  })

  it('cache writes for an hour cost twice the input: 0.0705 dollars in place of 0.048', () => {
    const usage = {
      input_tokens: 1000,
      output_tokens: 500,
      cache_creation_input_tokens: 10_000,
      cache_creation: { ephemeral_1h_input_tokens: 10_000, ephemeral_5m_input_tokens: 0 },
    }
    const metadata = { provider: 'anthropic', model: 'claude-sonnet-4-5', usage }
    assert.ok(Math.abs((rowOf(metadata).cost ?? 0) - 0.0705) < 1e-9)
    assert.deepEqual(rowOf(metadata).otherTokens, { cacheWriteHour: 10_000 })
  })

  it('cache writes that LangChain reports by lifetime, with 0 as their sum, are priced', () => {
    const usage = {
      input_tokens: 10_000,
      output_tokens: 500,
      total_tokens: 10_500,
      input_token_details: {
        cache_read: 4000,
        cache_creation: 0,
        ephemeral_5m_input_tokens: 2000,
        ephemeral_1h_input_tokens: 3000,
      },
    }
    const row = rowOf({ provider: 'anthropic', model: 'claude-sonnet-4-5', usage })
    assert.deepEqual(
      [row.freshInputTokens, row.cacheReadTokens, row.cacheWriteTokens, row.otherTokens],
      [1000, 4000, 2000, { cacheWriteHour: 3000 }],
    )
    assert.ok(Math.abs((row.cost ?? 0) - 0.0372) < 1e-9, String(row.cost))
  })

  it('the details of the AI SDK, version 6, are read: cache reads, cache writes and reasoning', () => {
    const usage = {
      inputTokens: 10_000,
      inputTokenDetails: { noCacheTokens: 1000, cacheReadTokens: 4000, cacheWriteTokens: 5000 },
      outputTokens: 500,
      outputTokenDetails: { textTokens: 100, reasoningTokens: 400 },
      totalTokens: 10_500,
    }
    const row = rowOf({ provider: 'anthropic', model: 'claude-sonnet-4-5', usage })
    assert.deepEqual(
      [row.freshInputTokens, row.cacheReadTokens, row.cacheWriteTokens, row.reasoningTokens],
      [1000, 4000, 5000, 400],
    )
    assert.ok(Math.abs((row.cost ?? 0) - 0.03045) < 1e-9, String(row.cost))
  })

  it('reasoning and cache writes for an hour have the price of the tier', () => {
    const usage = {
      promptTokenCount: 1000,
      candidatesTokenCount: 100,
      thoughtsTokenCount: 900,
      totalTokenCount: 2000,
    }
    const costOf = (model: string, serviceTier: string) =>
      rowOf({ provider: 'google', model, usage, serviceTier }).cost ?? 0
    assert.ok(Math.abs(costOf('gemini-2.5-flash', 'batch') - 0.0014) < 1e-9)
    assert.ok(Math.abs(costOf('gemini-3.5-flash', 'priority') - (0.0027 + 0.0162)) < 1e-9)
    const writes = {
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 2000,
      cache_creation: { ephemeral_1h_input_tokens: 1000, ephemeral_5m_input_tokens: 1000 },
    }
    for (const provider of ['google', 'anthropic']) {
      const { parts } = detailOf({ provider, model: 'claude-haiku-4-5', serviceTier: 'batch', usage: writes })
      assert.deepEqual(
        parts.map(({ bucket, pricePerMillion }) => [bucket, pricePerMillion]),
        [
          ['cacheWrite', 0.625],
          ['cacheWriteHour', 1],
        ],
      )
    }
  })

  it('a part has the price of its tier for every input size', () => {
    const prices = {
      input_mtok: { base: 2, tiers: [{ start: 1000, price: 4 }] },
      input_audio_mtok: { base: 6, tiers: [{ start: 1000, price: 8 }] },
      output_mtok: 10,
      output_reasoning_mtok: { base: 10, tiers: [{ start: 1000, price: 20 }] },
    }
    const variants = [{ when: { processing: 'batch' }, prices: { input_mtok: 1, output_mtok: 0.1 } }]
    assert.deepEqual(tierPricesOf({ prices, variants }, 'batch').prices, {
      input_mtok: 1,
      input_audio_mtok: { base: 3, tiers: [{ start: 1000, price: 2 }] },
      output_mtok: 0.1,
      output_reasoning_mtok: { base: 0.1, tiers: [{ start: 1000, price: 0.2 }] },
    })
  })

  it('a tier without a price in the list costs the standard price, with a note on the cost', () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 0 }
    const detail = detailOf({
      provider: 'mistral',
      model: 'mistral-medium-latest',
      usage,
      serviceTier: 'priority',
    })
    assert.deepEqual(detail.notes.includes('service_tier_without_price'), true)
    assert.equal(detail.serviceTier, 'priority')
    assert.equal(rowOf({ model: 'gpt-4o', usage, service_tier: 'default' }).serviceTier, null)
  })

  it('a fee per request is part of the cost', () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 1000 }
    const { total, parts, notes } = detailOf({ provider: 'perplexity', model: 'sonar', usage })
    assert.ok(Math.abs(total - (0.002 + 0.012)) < 1e-9)
    assert.deepEqual(parts.at(-1), { bucket: 'requests', tokens: 1, pricePerMillion: 12_000, cost: 0.012 })
    assert.deepEqual(notes, ['request_fee_included'])
  })
})
