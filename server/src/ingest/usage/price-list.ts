/** Finds the price of a model in the price list, by the names that clients and frameworks use. */
import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { candidatesOf, providerAlias } from './model-names.ts'
import {
  isConditional,
  type ListedModel,
  type ListedProvider,
  type ModelPrices,
  matchesName,
  type PriceListFile,
  pricesAt,
} from './price-list-file.ts'

/** The prices of one model in the list, in US dollars. */
export interface ListPrice {
  /** Ids in the list, which may differ from the requested names: `x-ai`, `gpt-4o`. */
  readonly provider: string
  readonly model: string
  readonly prices: ModelPrices
  /** The date from which these prices apply, or null if the list has none. */
  readonly effectiveDate: string | null
  /** False if the provider was absent or unknown, or does not list the model: only the model name was matched. */
  readonly isProviderKnown: boolean
  /** Whether the sources of the list disagree about this model. */
  readonly isDisputed: boolean
}

const shippedList = new URL('../../../prices/prices.json', import.meta.url)
let loaded: PriceListFile | undefined

/** Read on demand: the list is large, and most importers of this file never use it. */
const list = (): PriceListFile =>
  // Safe: a test reads every entry of the shipped list.
  (loaded ??= JSON.parse(readFileSync(shippedList, 'utf8')) as PriceListFile)

/** The price list, as cited in costs. */
export const priceList = (): { readonly name: string; readonly version: string } => {
  const { name, version } = list()
  return { name, version }
}

/** The price of a model at a time, or null when the list does not have it. */
export function findListPrice(provider: string | null, model: string, time: Date): ListPrice | null {
  const match = findModel(provider, model)
  if (match === null) return null
  const { provider: listed, model: listedModel, isProviderKnown } = match
  return {
    provider: listed.id,
    model: listedModel.id,
    prices: pricesAt(listedModel, time),
    effectiveDate: effectiveDate(listedModel, time),
    isProviderKnown,
    isDisputed: listedModel.disagreement !== undefined,
  }
}

interface Found {
  readonly provider: ListedProvider
  readonly model: ListedModel
  readonly isProviderKnown: boolean
}

/** Caches results, since a look-up scans the whole list. The cache holds only data of the public list. */
const foundByName = new LRUCache<string, { readonly match: Found | null }>({ max: 2000 })

function findModel(provider: string | null, model: string): Found | null {
  const key = JSON.stringify([provider, model])
  const cached = foundByName.get(key)
  if (cached !== undefined) return cached.match
  const match = lookUp(provider, model)
  foundByName.set(key, { match })
  return match
}

function lookUp(providerName: string | null, modelName: string): Found | null {
  const candidates = candidatesOf(providerName, modelName)
  for (const { provider: name, model } of candidates) {
    const provider = name === null ? undefined : findProvider(name)
    const listed = provider && modelOf(provider, model)
    if (provider && listed) return { provider, model: listed, isProviderKnown: true }
  }
  // A client of one provider often calls another behind its own base URL: the name of the model says whose it is.
  for (const { model } of candidates) {
    const match = findByModelName(model)
    if (match !== null) return { ...match, isProviderKnown: false }
  }
  return null
}

function findByModelName(model: string): Omit<Found, 'isProviderKnown'> | null {
  const maker = list().providers.find(
    ({ model_match: match }) => match !== undefined && matchesName(match, model),
  )
  const others = makers.flatMap((id) => findProvider(id) ?? [])
  for (const provider of maker === undefined ? others : [maker, ...others]) {
    const listed = modelOf(provider, model)
    if (listed) return { provider, model: listed }
  }
  return null
}

/** Makers of models before those who only host them. */
const makers = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'deepseek',
  'x-ai',
  'cohere',
  'meta',
  'moonshotai',
  'zai',
  'minimax',
  'dashscope',
  'ai21',
  'voyageai',
  'perplexity',
  'aws',
  'groq',
  'together',
  'fireworks',
  'openrouter',
]

function modelOf(provider: ListedProvider, name: string): ListedModel | undefined {
  const plain = withDashedDate(name)
  for (const model of plain === name ? [name] : [name, plain]) {
    const own = provider.models.find(({ match }) => matchesName(match, model))
    if (own) return own
    for (const id of provider.fallback_model_providers ?? []) {
      const other = findProvider(id)?.models.find(({ match }) => matchesName(match, model))
      if (other) return other
    }
  }
  return undefined
}

/** `-20250929` as `-2025-09-29`, which some lists have. */
const withDashedDate = (name: string): string =>
  name.replace(/-(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|@|$)/, '-$1-$2-$3')

function findProvider(name: string): ListedProvider | undefined {
  const plain = name.trim().toLowerCase()
  if (plain === '') return undefined
  const id = providerAlias(plain)
  const { providers } = list()
  return (
    providers.find((provider) => provider.id === id) ??
    providers.find(({ provider_match: match }) => match !== undefined && matchesName(match, plain))
  )
}

/** The list's id of a provider; undefined for an unknown name. */
export const listProvider = (name: string): string | undefined => findProvider(name)?.id

function effectiveDate({ prices }: ListedModel, time: Date): string | null {
  if (!isConditional(prices)) return null
  const dates = prices.flatMap(({ constraint }) =>
    constraint?.type === 'start_date' && new Date(constraint.start_date) <= time
      ? [constraint.start_date]
      : [],
  )
  return dates.sort().at(-1)?.slice(0, 10) ?? null
}
