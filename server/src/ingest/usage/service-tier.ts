/** Processing tiers that cost more or less than the standard one: batch, flex, priority. Pure. */
import type { CostNote } from './price.ts'
import type { ListPrice } from './price-list.ts'
import { type ModelPrices, type Price, priceFor } from './price-list-file.ts'

/** Names of the standard tier, which do not change the price. */
const standardTiers = new Set(['', 'standard', 'default', 'auto', 'on_demand', 'standard_only'])
/** Other names for a tier. */
const aliases: Readonly<Record<string, string>> = { batches: 'batch', flex_processing: 'flex' }

/** A tier under its name in the price list; null for the standard one. */
export function plainTier(name: string | null): string | null {
  const plain = name?.trim().toLowerCase() ?? ''
  const tier = Object.hasOwn(aliases, plain) ? aliases[plain]! : plain
  return standardTiers.has(tier) ? null : tier
}

/** The prices of a tier, which replace the standard ones that they correspond to. */
export function tierPricesOf(
  listPrice: Pick<ListPrice, 'prices' | 'variants'>,
  tier: string | null,
): { prices: ModelPrices; notes: CostNote[] } {
  const { prices } = listPrice
  if (tier === null) return { prices, notes: [] }
  const variant = listPrice.variants.find(({ when }) => Object.values(when).includes(tier))
  if (variant === undefined) return { prices, notes: ['service_tier_without_price'] }
  return {
    prices: { ...prices, ...partsOfTier(prices, variant.prices), ...variant.prices },
    notes: ['service_tier_price'],
  }
}

/** For each partial price, the price that it is a part of. */
const wholes: Readonly<Record<string, string>> = {
  output_reasoning_mtok: 'output_mtok',
  output_audio_mtok: 'output_mtok',
  output_image_mtok: 'output_mtok',
  input_audio_mtok: 'input_mtok',
  input_image_mtok: 'input_mtok',
  cache_audio_read_mtok: 'cache_read_mtok',
  cache_image_read_mtok: 'cache_read_mtok',
  cache_write_1h_mtok: 'cache_write_mtok',
}

/** Derives prices that lists leave out of a tier: they change in proportion to the prices that they are a part of. */
function partsOfTier(prices: ModelPrices, tierPrices: ModelPrices): ModelPrices {
  const parts: Record<string, Price> = {}
  for (const [part, whole] of Object.entries(wholes)) {
    const [price, standard, tier] = [prices[part], prices[whole], tierPrices[whole]]
    if (price !== undefined && standard !== undefined && tier !== undefined)
      parts[part] = scale(price, standard, tier)
  }
  return parts
}

/** A price times the ratio of two others, for every input size. */
function scale(price: Price, standard: Price, tier: Price): Price {
  const priceAt = (context: number): number => {
    const [part, whole, other] = [price, standard, tier].map((each) => priceFor(each, context)) as [
      number,
      number,
      number,
    ]
    // The listed price, which the ratio might round differently.
    if (part === whole) return other
    return whole === 0 ? part : (part * other) / whole
  }
  const sizes = [price, standard, tier].flatMap((each) =>
    typeof each === 'number' ? [] : each.tiers.map(({ start }) => start),
  )
  if (sizes.length === 0) return priceAt(0)
  return {
    base: priceAt(0),
    tiers: [...new Set(sizes)].map((start) => ({ start, price: priceAt(start + 1) })),
  }
}

/** The tier that a call was processed in, where the caller or the provider's usage object names it. */
export function serviceTierIn(metadata: unknown): string | null {
  const usage = field(metadata, 'usage')
  const places: unknown[] = [
    field(metadata, 'serviceTier'),
    field(metadata, 'service_tier'),
    field(usage, 'serviceTier'),
    field(usage, 'service_tier'),
    // Anthropic's fast mode.
    field(usage, 'speed'),
  ]
  return places.map(textOf).find((tier) => tier !== null) ?? null
}

const textOf = (value: unknown): string | null => {
  const text = typeof value === 'object' ? field(value, 'type') : value
  return typeof text === 'string' ? plainTier(text.slice(0, 40)) : null
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}
