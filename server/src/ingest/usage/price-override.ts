import { shippedPrices } from './price-list.ts'

/** A price that a workspace sets itself, in US dollars per million tokens. */
export interface PriceOverride {
  readonly id: string
  /** Absent means any. */
  readonly provider?: string | null
  /** A name in which `*` matches any characters. */
  readonly model: string
  /** Absent means always. */
  readonly startsAt?: Date | null
  readonly inputPerMillion: number
  readonly outputPerMillion: number
  /** Absent: as input. */
  readonly cacheReadPerMillion?: number | null
  readonly cacheWritePerMillion?: number | null
  /** Absent: as output. */
  readonly reasoningPerMillion?: number | null
}

/** The model and time to find a price for. */
export interface PricedModel {
  readonly provider: string | null
  readonly model: string
  readonly time: Date
}

/**
 * Chooses the override that applies: a name without `*` wins over one with `*`, then the longer name, then the one with
 * a provider, then the latest start, then the last in the list.
 */
export function chooseOverride(
  overrides: readonly PriceOverride[],
  { provider, model, time }: PricedModel,
): PriceOverride | undefined {
  return overrides
    .filter((each) => (each.startsAt?.getTime() ?? Number.NEGATIVE_INFINITY) <= time.getTime())
    .filter(
      (each) =>
        !each.provider || (provider !== null && plainProvider(each.provider) === plainProvider(provider)),
    )
    .filter((each) => matches(each.model.toLowerCase(), model.toLowerCase()))
    .sort(bySpecificity)
    .at(-1)
}

/** Sorts the most specific last. */
function bySpecificity(a: PriceOverride, b: PriceOverride): number {
  return (
    Number(!a.model.includes('*')) - Number(!b.model.includes('*')) ||
    a.model.replaceAll('*', '').length - b.model.replaceAll('*', '').length ||
    Number(Boolean(a.provider)) - Number(Boolean(b.provider)) ||
    (a.startsAt?.getTime() ?? 0) - (b.startsAt?.getTime() ?? 0)
  )
}

/** Normalizes a name: `open-ai` and `openai` are one provider here, as in the price list. */
function plainProvider(name: string): string {
  return shippedPrices().providerId(name) ?? name.trim().toLowerCase()
}

/** Matches piece by piece: a regular expression from a user's pattern could take exponential time. */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return first === name
  if (!name.startsWith(first)) return false
  let index = first.length
  for (const piece of others) {
    const position = name.indexOf(piece, index)
    if (position === -1) return false
    index = position + piece.length
  }
  return name.length - last.length >= index && name.endsWith(last)
}
