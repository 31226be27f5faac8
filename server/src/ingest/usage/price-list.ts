import { createRequire } from 'node:module'
import type { ModelInfo, ModelPrice } from '@pydantic/genai-prices'
import { LRUCache } from 'lru-cache'

/** The price list, as cited in costs. A test compares the version with the installed one. */
export const priceList = { name: '@pydantic/genai-prices', version: '0.1.8' } as const

/** The prices of one model in the list, in US dollars. */
export interface ListPrice {
  /** Ids in the list, which may differ from the requested names: `x-ai`, `gpt-4o`. */
  readonly provider: string
  readonly model: string
  readonly prices: ModelPrice
  /** The date from which these prices apply, or null if the list has none. */
  readonly effectiveDate: string | null
  /** False when the provider was absent or unknown, so that only the model name was matched. */
  readonly isProviderKnown: boolean
}

/** The price of a model at a time, or null when the list does not have it. */
export function findListPrice(provider: string | null, model: string, time: Date): ListPrice | null {
  const key = JSON.stringify([provider, model])
  const spans = spansByModel.get(key) ?? []
  const atMs = time.getTime()
  const known = spans.find((span) => span.fromMs <= atMs && atMs < span.untilMs)
  if (known) return known.price
  const span = lookUp(provider, model, time)
  if (span.fromMs < span.untilMs) spansByModel.set(key, [...spans, span])
  return span.price
}

/** A period with one result of the list. */
interface Span {
  readonly fromMs: number
  readonly untilMs: number
  readonly price: ListPrice | null
}

/** Caches results, since a look-up scans the whole list. The cache holds only data of the public list. */
const spansByModel = new LRUCache<string, readonly Span[]>({ max: 2000 })

const require = createRequire(import.meta.url)

type PriceList = typeof import('@pydantic/genai-prices')

/** `require` loads on demand: the list is large, and most importers of this file never use it. */
function list(): PriceList {
  return require('@pydantic/genai-prices') as PriceList
}

function lookUp(provider: string | null, model: string, time: Date): Span {
  const known = provider === null ? undefined : listProvider(provider)
  const result = known
    ? calcPrice(model, time, known)
    : (calcPrice(model, time) ?? calcGatewayPrice(model, time))
  if (!result) return { ...always, price: null }
  const span = spanOf(result.model, time)
  return {
    ...span,
    price: {
      provider: result.provider.id,
      model: result.model.id,
      prices: result.model_price,
      effectiveDate: Number.isFinite(span.fromMs) ? new Date(span.fromMs).toISOString().slice(0, 10) : null,
      isProviderKnown: known !== undefined,
    },
  }
}

/** Passes no tokens: the library would price them, but not by bucket. */
function calcPrice(model: string, time: Date, providerId?: string) {
  return list().calcPrice({}, model, { timestamp: time, ...(providerId !== undefined && { providerId }) })
}

/** `openai/gpt-4o`, as gateways name a model. */
function calcGatewayPrice(model: string, time: Date) {
  const slash = model.indexOf('/')
  const provider = slash === -1 ? undefined : listProvider(model.slice(0, slash))
  return provider ? calcPrice(model.slice(slash + 1), time, provider) : null
}

/** Provider names of clients, the interface and OpenTelemetry that the list itself would miss or mismatch. */
const listNames: Readonly<Record<string, string>> = {
  'open-ai': 'openai',
  open_ai: 'openai',
  'azure-openai': 'azure',
  'azure-open-ai': 'azure',
  azure_openai: 'azure',
  'azure.ai.openai': 'azure',
  'azure.ai.inference': 'azure',
  'az.ai.openai': 'azure',
  'az.ai.inference': 'azure',
  bedrock: 'aws',
  'aws.bedrock': 'aws',
  'aws-bedrock': 'aws',
  'amazon-bedrock': 'aws',
  gemini: 'google',
  vertex: 'google',
  vertexai: 'google',
  'vertex-ai': 'google',
  vertex_ai: 'google',
  'google-vertex': 'google',
  'gcp.vertex_ai': 'google',
  'gcp.gemini': 'google',
  'gcp.gen_ai': 'google',
  xai: 'x-ai',
  x_ai: 'x-ai',
  mistral_ai: 'mistral',
  'mistral-ai': 'mistral',
  mistralai: 'mistral',
}

/** The list's id of a provider; undefined for an unknown name. */
export function listProvider(name: string): string | undefined {
  const plain = name.trim().toLowerCase()
  if (plain === '') return undefined
  if (Object.hasOwn(listNames, plain)) return listNames[plain]
  return list().findProvider({ providerId: plain })?.id
}

const always = { fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY }
/** An empty period, which is never cached: prices by the hour are looked up each time. */
const never = { fromMs: Number.POSITIVE_INFINITY, untilMs: Number.NEGATIVE_INFINITY }

function spanOf(model: ModelInfo, time: Date): Omit<Span, 'price'> {
  if (!Array.isArray(model.prices)) return always
  const span = { ...always }
  for (const { constraint } of model.prices) {
    if (constraint?.type === 'time_of_date') return never
    if (constraint === undefined) continue
    const startMs = new Date(constraint.start_date).getTime()
    if (startMs <= time.getTime()) span.fromMs = Math.max(span.fromMs, startMs)
    else span.untilMs = Math.min(span.untilMs, startMs)
  }
  return span
}
