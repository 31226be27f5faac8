import type { Buckets } from './buckets.ts'
import { currentPrices, type PriceList } from './price-list.ts'
import { type ModelPrices, priceFor } from './price-list-file.ts'
import { chooseOverride, type PriceOverride } from './price-override.ts'
import { plainTier, tierPricesOf } from './service-tier.ts'

/** Tokens of one bucket at one price, or the request itself if each has a fee. */
export interface CostPart {
  readonly bucket: keyof Buckets | 'requests'
  /** The number of tokens, or of requests. */
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
  | 'audio_priced_as_text'
  | 'image_priced_as_text'
  | 'cache_write_hour_priced_as_short'
  | 'request_fee_included'
  | 'service_tier_price'
  | 'service_tier_without_price'
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
  /** As the caller reported it: batch, flex, priority; null for the standard tier. */
  readonly serviceTier: string | null
  readonly parts: CostPart[]
  readonly notes: CostNote[]
  /** True when a note describes an assumption or an omission. */
  readonly isEstimate: boolean
  /** Set if the client sent this very cost: nothing else distinguishes it from an estimate. */
  readonly isReported?: true
}

/** A detail, marked as reported if it matches the cost that the client sent. */
export const withReport = (detail: CostDetail, reportedCost: number | null): CostDetail =>
  reportedCost === detail.total ? { ...detail, isReported: true } : detail

/** The tokens to price, their model and the time of use. */
export interface UsageToPrice {
  readonly provider: string | null
  readonly model: string | null
  readonly time: Date
  readonly buckets: Buckets
  /** As reported; absent or null for the standard tier. */
  readonly serviceTier?: string | null
  readonly overrides: readonly PriceOverride[]
}

/** Prices a usage by the workspace's overrides, else by the price list; null when neither has the model. */
export function priceUsage(usage: UsageToPrice, list: PriceList = currentPrices()): CostDetail | null {
  const { provider, model, time, buckets, overrides } = usage
  if (!model) return null
  const override = overrides.length === 0 ? undefined : chooseOverride(overrides, { provider, model, time })
  if (override) return costByOverride(override, usage)
  const listPrice = list.find(provider, model, time)
  if (!listPrice) return null
  const serviceTier = plainTier(usage.serviceTier ?? null)
  const tier = tierPricesOf(listPrice, serviceTier)
  const priced = unitPrices(tier.prices, buckets)
  if (!priced) return null
  const notes: CostNote[] = [
    ...(listPrice.isProviderKnown ? [] : (['provider_not_known'] as const)),
    ...(listPrice.isDisputed ? (['price_lists_disagree'] as const) : []),
    ...tier.notes,
    ...priced.notes,
  ]
  return {
    ...costOfParts(buckets, priced.unit, priced.requestFee),
    currency: 'USD',
    source: 'price-list',
    list: list.source(),
    overrideId: null,
    effectiveDate: listPrice.effectiveDate,
    provider: listPrice.provider,
    model: listPrice.model,
    serviceTier,
    notes,
    isEstimate: notes.some((note) => !isFact.has(note)),
  }
}

/** Notes that state where a valid price comes from; the others are assumptions. */
const isFact: ReadonlySet<CostNote> = new Set([
  'long_context_price',
  'request_fee_included',
  'service_tier_price',
])

function costByOverride(
  override: PriceOverride,
  { buckets, provider, serviceTier = null }: UsageToPrice,
): CostDetail {
  const { inputPerMillion, outputPerMillion } = override
  const cacheRead = override.cacheReadPerMillion ?? inputPerMillion
  const cacheWrite = override.cacheWritePerMillion ?? inputPerMillion
  const unit = {
    freshInput: inputPerMillion,
    audioInput: inputPerMillion,
    imageInput: inputPerMillion,
    cacheRead,
    cacheReadAudio: cacheRead,
    cacheReadImage: cacheRead,
    cacheWrite,
    cacheWriteHour: cacheWrite,
    textOutput: outputPerMillion,
    audioOutput: outputPerMillion,
    imageOutput: outputPerMillion,
    reasoning: override.reasoningPerMillion ?? outputPerMillion,
  }
  return {
    ...costOfParts(buckets, unit, undefined),
    currency: 'USD',
    source: 'override',
    list: null,
    overrideId: override.id,
    effectiveDate: override.startsAt?.toISOString().slice(0, 10) ?? null,
    provider: override.provider ?? provider,
    model: override.model,
    serviceTier: plainTier(serviceTier),
    notes: [],
    isEstimate: false,
  }
}

/** Dollars per million tokens of each bucket that holds any. */
type UnitPrices = Readonly<Partial<Record<keyof Buckets, number>>>

const order = [
  'freshInput',
  'audioInput',
  'imageInput',
  'cacheRead',
  'cacheReadAudio',
  'cacheReadImage',
  'cacheWrite',
  'cacheWriteHour',
  'textOutput',
  'audioOutput',
  'imageOutput',
  'reasoning',
] as const

function costOfParts(
  buckets: Buckets,
  unit: UnitPrices,
  requestFee: number | undefined,
): { total: number; parts: CostPart[] } {
  const parts: CostPart[] = []
  for (const bucket of order) {
    const tokens = buckets[bucket] ?? 0
    if (!Number.isFinite(tokens) || tokens <= 0) continue
    const pricePerMillion = unit[bucket] ?? 0
    parts.push({ bucket, tokens, pricePerMillion, cost: (tokens * pricePerMillion) / 1e6 })
  }
  if (requestFee !== undefined)
    parts.push({ bucket: 'requests', tokens: 1, pricePerMillion: requestFee * 1e6, cost: requestFee })
  return { total: parts.reduce((total, part) => total + part.cost, 0), parts }
}

/** Dollars per million tokens. */
interface UnitPrice {
  readonly price: number
  /** Whether the size of the input changed it. */
  readonly isOfLongContext: boolean
}

const free: UnitPrice = { price: 0, isOfLongContext: false }

interface PriceResult {
  readonly unit: UnitPrices
  /** Dollars for the request itself. */
  readonly requestFee: number | undefined
  readonly notes: CostNote[]
}

/** Prices of the list for these buckets; null if the model is not priced by tokens. */
function unitPrices(prices: ModelPrices, buckets: Buckets): PriceResult | null {
  const context = inputBuckets.reduce((sum, bucket) => sum + (buckets[bucket] ?? 0), 0)
  const notes = new Set<CostNote>()
  const priceOf = (key: string): UnitPrice | undefined => {
    const listed = prices[key]
    if (listed === undefined) return undefined
    const price = priceFor(listed, context)
    return { price, isOfLongContext: typeof listed !== 'number' && price !== listed.base }
  }
  const holdsTokens = (bucket: keyof Buckets): boolean => (buckets[bucket] ?? 0) > 0
  /** The price of a bucket, or a substitute for it with a note; buckets without tokens cost nothing. */
  const priceOr = (
    bucket: keyof Buckets,
    key: string,
    other: UnitPrice | undefined,
    note?: CostNote,
  ): UnitPrice => {
    if (!holdsTokens(bucket)) return free
    const price = priceOf(key)
    if (price === undefined && note !== undefined) notes.add(note)
    return price ?? other ?? free
  }

  const input = priceOf('input_mtok')
  // A model with only one kind of output need not report that it is images or speech.
  const output = priceOf('output_mtok') ?? priceOf('output_image_mtok') ?? priceOf('output_audio_mtok')
  if (input === undefined && output === undefined) return null
  const cacheRead = priceOf('cache_read_mtok') ?? input
  const cacheWrite = priceOf('cache_write_mtok') ?? input
  // In the order in which their notes are listed.
  const unitPriceOf: Readonly<Record<keyof Buckets, UnitPrice>> = {
    cacheRead: priceOr('cacheRead', 'cache_read_mtok', input, 'cache_read_priced_as_input'),
    cacheWrite: priceOr('cacheWrite', 'cache_write_mtok', input, 'cache_write_priced_as_input'),
    freshInput: input ?? free,
    audioInput: priceOr('audioInput', 'input_audio_mtok', input, 'audio_priced_as_text'),
    // Most makers count an image in tokens at the price of text.
    imageInput: priceOr('imageInput', 'input_image_mtok', input),
    cacheReadAudio: priceOr('cacheReadAudio', 'cache_audio_read_mtok', cacheRead, 'audio_priced_as_text'),
    cacheReadImage: priceOr('cacheReadImage', 'cache_image_read_mtok', cacheRead),
    cacheWriteHour: priceOr(
      'cacheWriteHour',
      'cache_write_1h_mtok',
      cacheWrite,
      'cache_write_hour_priced_as_short',
    ),
    textOutput: output ?? free,
    audioOutput: priceOr('audioOutput', 'output_audio_mtok', output, 'audio_priced_as_text'),
    imageOutput: priceOr('imageOutput', 'output_image_mtok', output, 'image_priced_as_text'),
    reasoning: priceOr('reasoning', 'output_reasoning_mtok', output),
  }
  const priced = order.filter(holdsTokens)
  if (priced.some((bucket) => unitPriceOf[bucket].isOfLongContext)) notes.add('long_context_price')
  if (context > 0 && input === undefined) notes.add('input_without_price')
  if (buckets.textOutput + buckets.reasoning > 0 && output === undefined) notes.add('output_without_price')
  const perThousandRequests = priceOf('requests_kcount')?.price
  if (perThousandRequests !== undefined) notes.add('request_fee_included')
  const requestFee = perThousandRequests === undefined ? undefined : perThousandRequests / 1000
  const unit: Partial<Record<keyof Buckets, number>> = {}
  for (const bucket of priced) unit[bucket] = unitPriceOf[bucket].price
  return { unit, requestFee, notes: [...notes] }
}

const inputBuckets = [
  'freshInput',
  'audioInput',
  'imageInput',
  'cacheRead',
  'cacheReadAudio',
  'cacheReadImage',
  'cacheWrite',
  'cacheWriteHour',
] as const
