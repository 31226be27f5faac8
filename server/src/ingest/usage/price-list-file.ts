/** The form of a price list: prices of models by provider, with their conditions. Prices are in US dollars. */

/** How a name of a provider or a model is recognized. Case is ignored, except by a regular expression. */
export type NameMatch =
  | { readonly equals: string }
  | { readonly starts_with: string }
  | { readonly ends_with: string }
  | { readonly contains: string }
  | { readonly regex: string }
  | { readonly or: readonly NameMatch[] }
  | { readonly and: readonly NameMatch[] }

/** A price that depends on the number of input tokens: the last tier that starts below it counts for every token. */
export interface TieredPrice {
  readonly base: number
  readonly tiers: readonly { readonly start: number; readonly price: number }[]
}

export type Price = number | TieredPrice

/** Dollars per million tokens (`…_mtok`) or per thousand requests (`…_kcount`), under the names of genai-prices. */
export type ModelPrices = Readonly<Record<string, Price | undefined>>

export type PriceConstraint =
  | { readonly type: 'start_date'; readonly start_date: string }
  /** Daily, in UTC; an end before the start is on the next day. */
  | { readonly type: 'time_of_date'; readonly start_time: string; readonly end_time: string }

export interface ConditionalPrices {
  readonly constraint?: PriceConstraint
  readonly prices: ModelPrices
}

/** Prices for a kind of processing, such as `{ processing: 'batch' }`, that replace the others. */
export interface PriceVariant extends ConditionalPrices {
  readonly when: Readonly<Record<string, string>>
}

export interface ListedModel {
  readonly id: string
  readonly match: NameMatch
  /** If there are several, the last one whose constraint holds applies. */
  readonly prices: ModelPrices | readonly ConditionalPrices[]
  readonly price_variants?: readonly PriceVariant[]
  /** The price of the other source, if the two differ by more than 1 %. */
  readonly disagreement?: {
    readonly source: string
    readonly input_mtok?: number
    readonly output_mtok?: number
  }
}

export interface ListedProvider {
  readonly id: string
  readonly provider_match?: NameMatch
  /** Names of models that only this provider has. */
  readonly model_match?: NameMatch
  readonly fallback_model_providers?: readonly string[]
  readonly models: readonly ListedModel[]
}

export interface PriceListFile {
  readonly name: string
  /** The date of the list, as in `2026-11-22`. */
  readonly version: string
  readonly sources: readonly { readonly name: string; readonly version: string; readonly license: string }[]
  readonly providers: readonly ListedProvider[]
}

export function matchesName(match: NameMatch, name: string): boolean {
  const lower = name.toLowerCase()
  if ('or' in match) return match.or.some((each) => matchesName(each, name))
  if ('and' in match) return match.and.every((each) => matchesName(each, name))
  if ('equals' in match) return lower === match.equals.toLowerCase()
  if ('starts_with' in match) return lower.startsWith(match.starts_with.toLowerCase())
  if ('ends_with' in match) return lower.endsWith(match.ends_with.toLowerCase())
  if ('contains' in match) return lower.includes(match.contains.toLowerCase())
  return new RegExp(match.regex).test(name)
}

/** The price for an input of a number of tokens: its size decides the price of every token, including the output. */
export function priceFor(price: Price, context: number): number {
  if (typeof price === 'number') return price
  const tier = price.tiers
    .filter(({ start }) => context > start)
    .toSorted((first, second) => first.start - second.start)
    .at(-1)
  return tier?.price ?? price.base
}

/** The prices that apply at a time. */
export function pricesAt({ prices }: Pick<ListedModel, 'prices'>, time: Date): ModelPrices {
  if (!isConditional(prices)) return prices
  return (prices.findLast(({ constraint }) => holdsAt(constraint, time)) ?? prices[0])?.prices ?? {}
}

/** The prices of tiers that apply at a time; if a tier's prices begin later, its first ones. */
export function variantsAt(
  { price_variants = [] }: Pick<ListedModel, 'price_variants'>,
  time: Date,
): PriceVariant[] {
  const byTier = Map.groupBy(price_variants, ({ when }) => JSON.stringify(when))
  return [...byTier.values()].map(
    (variants) => variants.findLast(({ constraint }) => holdsAt(constraint, time)) ?? variants[0]!,
  )
}

export const isConditional = (prices: ListedModel['prices']): prices is readonly ConditionalPrices[] =>
  Array.isArray(prices)

function holdsAt(constraint: PriceConstraint | undefined, time: Date): boolean {
  if (constraint === undefined) return true
  if (constraint.type === 'start_date') return time.getTime() >= new Date(constraint.start_date).getTime()
  const second = (time.getTime() / 1000) % 86_400
  const [start, end] = [secondOfDay(constraint.start_time), secondOfDay(constraint.end_time)]
  return end < start ? second >= start || second < end : second >= start && second < end
}

/** Parses `00:30:00+00:00` or `00:30:00Z`, which are in UTC. */
function secondOfDay(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.slice(0, 8).split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}
