/** Tiers of processing that cost more or less than the standard one: batch, flex, priority. Pure. */
import type { CostNote } from './price.ts'
import type { ListPrice } from './price-list.ts'
import type { ModelPrices } from './price-list-file.ts'

/** Names of the standard tier, by which the price does not change. */
const standardTiers = new Set(['', 'standard', 'default', 'auto', 'on_demand', 'standard_only'])
/** Other words for a tier. */
const aliases: Readonly<Record<string, string>> = { batches: 'batch', flex_processing: 'flex' }

/** A tier in the words of the price list; null for the standard one. */
export function plainTier(name: string | null): string | null {
  const plain = name?.trim().toLowerCase() ?? ''
  const tier = Object.hasOwn(aliases, plain) ? aliases[plain]! : plain
  return standardTiers.has(tier) ? null : tier
}

/** The prices of a tier, which replace the standard ones where it has them. */
export function tierPricesOf(
  listPrice: Pick<ListPrice, 'prices' | 'variants'>,
  tier: string | null,
): { prices: ModelPrices; notes: CostNote[] } {
  const { prices } = listPrice
  if (tier === null) return { prices, notes: [] }
  const variant = listPrice.variants.find(({ when }) => Object.values(when).includes(tier))
  if (variant === undefined) return { prices, notes: ['service_tier_without_price'] }
  return { prices: { ...prices, ...variant.prices }, notes: ['service_tier_price'] }
}

/** Where a caller, or the usage object of a provider, names the tier that a call was processed in. */
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
