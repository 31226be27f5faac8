import type { Buckets } from './buckets.ts'
import { findListPrice, priceList } from './price-list.ts'
import type { ModelPrices } from './price-list-file.ts'
import { chooseOverride, type PriceOverride } from './price-override.ts'

/** Tokens of one bucket at one price. */
export interface CostPart {
  readonly bucket: keyof Buckets
  readonly tokens: number
  readonly pricePerMillion: number
  readonly cost: number
}

/** Assumptions and remarks behind a cost. */
export type CostNote =
  | 'provider_not_known'
  | 'cache_read_priced_as_input'
  | 'cache_write_priced_as_input'
  | 'long_context_price'
  | 'input_without_price'
  | 'output_without_price'
  | 'request_fee_left_out'
  | 'price_lists_disagree'

/**
 * A cost and its parts. A part costs `tokens * pricePerMillion / 1e6`, and the total is the sum of the parts in order,
 * in double precision without rounding, so that adding the parts again gives the same number.
 */
export interface CostDetail {
  readonly total: number
  readonly currency: 'USD'
  readonly source: 'price-list' | 'override'
  /** The price list, or null for an override. */
  readonly list: { readonly name: string; readonly version: string } | null
  readonly overrideId: string | null
  /** ISO date from which the prices apply, if known. */
  readonly effectiveDate: string | null
  /** As named in the price list or the override. */
  readonly provider: string | null
  readonly model: string
  readonly parts: CostPart[]
  readonly notes: CostNote[]
  /** True when a note describes an assumption or an omission. */
  readonly isEstimate: boolean
}

/** The tokens to price, their model and the time of use. */
export interface UsageToPrice {
  readonly provider: string | null
  readonly model: string | null
  readonly time: Date
  readonly buckets: Buckets
  readonly overrides: readonly PriceOverride[]
}

/** Prices a usage by the workspace's overrides, else by the price list; null when neither has the model. */
export function priceUsage({ provider, model, time, buckets, overrides }: UsageToPrice): CostDetail | null {
  if (!model) return null
  const override = overrides.length === 0 ? undefined : chooseOverride(overrides, { provider, model, time })
  if (override) return costByOverride(override, buckets, provider)
  const listPrice = findListPrice(provider, model, time)
  if (!listPrice) return null
  const priced = unitPrices(listPrice.prices, buckets)
  if (!priced) return null
  const notes: CostNote[] = [
    ...(listPrice.isProviderKnown ? [] : (['provider_not_known'] as const)),
    ...(listPrice.isDisputed ? (['price_lists_disagree'] as const) : []),
    ...priced.notes,
  ]
  return {
    ...costOfParts(buckets, priced.unit),
    currency: 'USD',
    source: 'price-list',
    list: priceList(),
    overrideId: null,
    effectiveDate: listPrice.effectiveDate,
    provider: listPrice.provider,
    model: listPrice.model,
    notes,
    isEstimate: notes.some((note) => note !== 'long_context_price'),
  }
}

function costByOverride(override: PriceOverride, buckets: Buckets, provider: string | null): CostDetail {
  const { inputPerMillion, outputPerMillion } = override
  const unit = {
    freshInput: inputPerMillion,
    cacheRead: override.cacheReadPerMillion ?? inputPerMillion,
    cacheWrite: override.cacheWritePerMillion ?? inputPerMillion,
    textOutput: outputPerMillion,
    reasoning: override.reasoningPerMillion ?? outputPerMillion,
  }
  return {
    ...costOfParts(buckets, unit),
    currency: 'USD',
    source: 'override',
    list: null,
    overrideId: override.id,
    effectiveDate: override.startsAt?.toISOString().slice(0, 10) ?? null,
    provider: override.provider ?? provider,
    model: override.model,
    notes: [],
    isEstimate: false,
  }
}

/** Dollars per million tokens of each bucket. */
type UnitPrices = Readonly<Record<keyof Buckets, number>>

const order = ['freshInput', 'cacheRead', 'cacheWrite', 'textOutput', 'reasoning'] as const

function costOfParts(buckets: Buckets, unit: UnitPrices): { total: number; parts: CostPart[] } {
  const parts = order
    .filter((bucket) => Number.isFinite(buckets[bucket]) && buckets[bucket] > 0)
    .map((bucket) => {
      const tokens = buckets[bucket]
      const pricePerMillion = unit[bucket]
      return { bucket, tokens, pricePerMillion, cost: (tokens * pricePerMillion) / 1e6 }
    })
  return { total: parts.reduce((total, part) => total + part.cost, 0), parts }
}

/** Prices of the list for these buckets; null if the model is not priced by tokens. */
function unitPrices(prices: ModelPrices, buckets: Buckets): { unit: UnitPrices; notes: CostNote[] } | null {
  const context = buckets.freshInput + buckets.cacheRead + buckets.cacheWrite
  const notes = new Set<CostNote>()
  const priceOf = (key: string): number | undefined => {
    const price = prices[key]
    if (price === undefined || typeof price === 'number') return price
    // The size of the whole input decides the price of every token, including the output.
    const tier = price.tiers
      .filter(({ start }) => context > start)
      .toSorted((a, b) => a.start - b.start)
      .at(-1)
    if (tier) notes.add('long_context_price')
    return tier?.price ?? price.base
  }

  const input = priceOf('input_mtok')
  const output = priceOf('output_mtok')
  if (input === undefined && output === undefined) return null
  const cacheRead = priceOf('cache_read_mtok')
  const cacheWrite = priceOf('cache_write_mtok')
  const unit = {
    freshInput: input ?? 0,
    cacheRead: cacheRead ?? input ?? 0,
    cacheWrite: cacheWrite ?? input ?? 0,
    textOutput: output ?? 0,
    reasoning: priceOf('output_reasoning_mtok') ?? output ?? 0,
  }

  if (context > 0 && input === undefined) notes.add('input_without_price')
  if (buckets.textOutput + buckets.reasoning > 0 && output === undefined) notes.add('output_without_price')
  if (buckets.cacheRead > 0 && cacheRead === undefined) notes.add('cache_read_priced_as_input')
  if (buckets.cacheWrite > 0 && cacheWrite === undefined) notes.add('cache_write_priced_as_input')
  if (prices.requests_kcount !== undefined) notes.add('request_fee_left_out')
  return { unit, notes: [...notes] }
}
