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
  type PriceVariant,
  pricesAt,
  variantsAt,
} from './price-list-file.ts'

/** The prices of one model in the list, in US dollars. */
export interface ListPrice {
  /** Ids in the list, which may differ from the requested names: `x-ai`, `gpt-4o`. */
  readonly provider: string
  readonly model: string
  readonly prices: ModelPrices
  /** Prices of tiers such as batch that apply at the time. */
  readonly variants: readonly PriceVariant[]
  /** The date from which these prices apply, or null if the list has none. */
  readonly effectiveDate: string | null
  /** False if the provider was absent or unknown, or does not list the model: only the model name was matched. */
  readonly isProviderKnown: boolean
  /** Whether the sources of the list disagree about this model. */
  readonly isDisputed: boolean
}

/** A price list that can be searched. */
export interface PriceList {
  /** As cited in costs. */
  readonly source: () => { readonly name: string; readonly version: string }
  /** The price of a model at a time, or null when the list does not have it. */
  readonly find: (provider: string | null, model: string, time: Date) => ListPrice | null
  /** The list's id of a provider; undefined for an unknown name. */
  readonly providerId: (name: string) => string | undefined
}

interface Match {
  readonly provider: ListedProvider
  readonly model: ListedModel
  readonly isProviderKnown: boolean
}

export function makePriceList({ name, version, providers }: PriceListFile): PriceList {
  const findProvider = (providerName: string) => providerNamed(providers, providerName)
  // A look-up scans the whole list. The cache holds only data of the public list.
  const matchByName = new LRUCache<string, { readonly match: Match | null }>({ max: 2000 })
  const findModel = (provider: string | null, model: string): Match | null => {
    // The length marks where the provider ends, so that no other pair of names has the same key.
    const key = `${provider?.length ?? '-'}:${provider ?? ''}${model}`
    const cached = matchByName.get(key)
    if (cached !== undefined) return cached.match
    const match = lookUp(providers, provider, model)
    matchByName.set(key, { match })
    return match
  }
  return {
    source: () => ({ name, version }),
    find(provider, model, time) {
      const match = findModel(provider, model)
      if (match === null) return null
      const { provider: listed, model: listedModel, isProviderKnown } = match
      return {
        provider: listed.id,
        model: listedModel.id,
        prices: pricesAt(listedModel, time),
        // A getter, since few calls name a tier.
        get variants() {
          return variantsAt(listedModel, time)
        },
        effectiveDate: effectiveDate(listedModel, time),
        isProviderKnown,
        isDisputed: listedModel.disagreement !== undefined,
      }
    },
    providerId: (providerName) => findProvider(providerName)?.id,
  }
}

const shippedListUrl = new URL('../../../prices/prices.json', import.meta.url)
let shipped: PriceList | undefined

export const readShippedList = (): PriceListFile =>
  // Safe: a test reads every entry of the shipped list.
  JSON.parse(readFileSync(shippedListUrl, 'utf8')) as PriceListFile

let installed: PriceList | undefined

/** The list that this thread computes costs with: one installed after the release, else that of the release. */
export const currentPrices = (): PriceList => installed ?? shippedPrices()

/** Switches the whole process, and so all workspaces, to another list; undefined for that of the release. */
export function setPriceList(file: PriceListFile | undefined): void {
  installed = file === undefined ? undefined : makePriceList(file)
}

/** The list of the release. Read on demand: it is large, and most importers of this file never use it. */
export const shippedPrices = (): PriceList => (shipped ??= makePriceList(readShippedList()))

function lookUp(
  providers: readonly ListedProvider[],
  providerName: string | null,
  modelName: string,
): Match | null {
  const candidates = candidatesOf(providerName, modelName)
  for (const { provider: name, model } of candidates) {
    const provider = name === null ? undefined : providerNamed(providers, name)
    const listed = provider && modelOf(providers, provider, model)
    if (provider && listed) return { provider, model: listed, isProviderKnown: true }
  }
  // A client of one provider often calls another behind its own base URL: then the model's name identifies the provider.
  for (const { model } of candidates) {
    const match = findByModelName(providers, model)
    if (match !== null) return { ...match, isProviderKnown: false }
  }
  return null
}

function findByModelName(
  providers: readonly ListedProvider[],
  model: string,
): Omit<Match, 'isProviderKnown'> | null {
  const maker = providers.find(({ model_match: match }) => match !== undefined && matchesName(match, model))
  const others = makers.flatMap((id) => providerNamed(providers, id) ?? [])
  for (const provider of maker === undefined ? others : [maker, ...others]) {
    const listed = modelOf(providers, provider, model)
    if (listed) return { provider, model: listed }
  }
  return null
}

/** Makers of models, listed before providers that only host them. */
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

function modelOf(
  providers: readonly ListedProvider[],
  provider: ListedProvider,
  name: string,
): ListedModel | undefined {
  const plain = withDashedDate(name)
  for (const model of plain === name ? [name] : [name, plain]) {
    const own = provider.models.find(({ match }) => matchesName(match, model))
    if (own) return own
    for (const id of provider.fallback_model_providers ?? []) {
      const other = providerNamed(providers, id)?.models.find(({ match }) => matchesName(match, model))
      if (other) return other
    }
  }
  return undefined
}

/** `-20250929` as `-2025-09-29`, which some lists have. */
const withDashedDate = (name: string): string =>
  name.replace(/-(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|@|$)/, '-$1-$2-$3')

function providerNamed(providers: readonly ListedProvider[], name: string): ListedProvider | undefined {
  const plain = name.trim().toLowerCase()
  if (plain === '') return undefined
  const id = providerAlias(plain)
  return (
    providers.find((provider) => provider.id === id) ??
    providers.find(({ provider_match: match }) => match !== undefined && matchesName(match, plain))
  )
}

function effectiveDate({ prices }: ListedModel, time: Date): string | null {
  if (!isConditional(prices)) return null
  const dates = prices.flatMap(({ constraint }) =>
    constraint?.type === 'start_date' && new Date(constraint.start_date) <= time
      ? [constraint.start_date]
      : [],
  )
  return dates.sort().at(-1)?.slice(0, 10) ?? null
}
