/**
 * Merges two public price lists into one. The first has effective dates and rules for names; the second adds models,
 * audio, one-hour cache writes, and the processing tiers batch, flex and priority. Pure.
 */
import {
  isConditional,
  type ListedModel,
  type ListedProvider,
  type ModelPrices,
  matchesName,
  type PriceVariant,
  pricesAt,
  type TieredPrice,
} from '../../server/src/ingest/usage/price-list-file.ts'
import { choices } from './choices.ts'

/** A model of LiteLLM's list: dollars per token, by the names of its fields. */
export type LitellmModel = Readonly<Record<string, unknown>> & { readonly litellm_provider?: string }

/** Providers that have a different name in the first list, by LiteLLM's name. */
const providerNames: Readonly<Record<string, string>> = {
  gemini: 'google',
  vertex_ai: 'google',
  'vertex_ai-language-models': 'google',
  'vertex_ai-embedding-models': 'google',
  'vertex_ai-anthropic_models': 'google',
  'vertex_ai-mistral_models': 'google',
  'vertex_ai-llama_models': 'google',
  'vertex_ai-deepseek_models': 'google',
  'vertex_ai-qwen_models': 'google',
  'vertex_ai-openai_models': 'google',
  'text-completion-openai': 'openai',
  bedrock: 'aws',
  bedrock_converse: 'aws',
  bedrock_mantle: 'aws',
  azure_ai: 'azure',
  azure_text: 'azure',
  xai: 'x-ai',
  together_ai: 'together',
  fireworks_ai: 'fireworks',
  'fireworks_ai-embedding-models': 'fireworks',
  cohere_chat: 'cohere',
  moonshot: 'moonshotai',
  voyage: 'voyageai',
}

/** Subscriptions and local models, whose price of 0 says nothing about a call. */
const excluded = new Set([
  'github_copilot',
  'chatgpt',
  'ollama',
  'ollama_chat',
  'lm_studio',
  'llamafile',
  'cursor',
  'codestral',
])

const perToken: Readonly<Record<string, string>> = {
  input_cost_per_token: 'input_mtok',
  output_cost_per_token: 'output_mtok',
  cache_read_input_token_cost: 'cache_read_mtok',
  cache_creation_input_token_cost: 'cache_write_mtok',
  cache_creation_input_token_cost_above_1hr: 'cache_write_1h_mtok',
  input_cost_per_audio_token: 'input_audio_mtok',
  output_cost_per_audio_token: 'output_audio_mtok',
  cache_read_input_audio_token_cost: 'cache_audio_read_mtok',
  input_cost_per_image_token: 'input_image_mtok',
  output_cost_per_image_token: 'output_image_mtok',
  output_cost_per_reasoning_token: 'output_reasoning_mtok',
}
const processings = { batch: '_batches', flex: '_flex', priority: '_priority' } as const

/** Removes floating-point noise from prices per token: 0.00000025 dollars are 0.25 per million. */
const perMillion = (price: number): number => Number((price * 1e6).toPrecision(10))

function pricesOf(model: LitellmModel, suffix = ''): ModelPrices {
  const prices: Record<string, number | TieredPrice> = {}
  for (const [field, key] of Object.entries(perToken)) {
    const base = model[field + suffix]
    if (typeof base !== 'number') continue
    const tiers = Object.entries(model).flatMap(([name, price]) => {
      const [, prefix, thousands, ending] = /^(.*)_above_(\d+)k_tokens(_[a-z]+)?$/.exec(name) ?? []
      if (prefix !== field || (ending ?? '') !== suffix || typeof price !== 'number') return []
      return [{ start: Number(thousands) * 1000, price: perMillion(price) }]
    })
    tiers.sort((first, second) => first.start - second.start)
    prices[key] = tiers.length === 0 ? perMillion(base) : { base: perMillion(base), tiers }
  }
  return prices
}

function variantsOf(model: LitellmModel): PriceVariant[] {
  return Object.entries(processings).flatMap(([processingName, suffix]) => {
    const prices = pricesOf(model, suffix)
    return Object.keys(prices).length === 0 ? [] : [{ when: { processing: processingName }, prices }]
  })
}

const baseOf = (price: number | TieredPrice | undefined): number | undefined =>
  typeof price === 'object' ? price.base : price

const differs = (first: number | undefined, second: number | undefined): boolean =>
  first !== undefined && second !== undefined && Math.abs(first - second) > 0.01 * Math.max(first, second)

export interface MergeResult {
  readonly providers: ListedProvider[]
  /** Models on which the lists disagree, with the list whose price is used. */
  readonly disagreements: readonly { readonly model: string; readonly listName: string }[]
}

export function mergeLists(
  first: readonly ListedProvider[],
  second: Readonly<Record<string, LitellmModel>>,
  date: Date,
): MergeResult {
  const providers = new Map(first.map((provider) => [provider.id, trimProvider(provider)]))
  const disagreements: { model: string; listName: string }[] = []
  const usedModels = new Set<ListedModel>()
  for (const [key, model] of Object.entries(second)) {
    const source = model.litellm_provider
    if (source === undefined || excluded.has(source)) continue
    const prices = pricesOf(model)
    if (prices.input_mtok === undefined && prices.output_mtok === undefined) continue
    const id = providerNames[source] ?? source.replaceAll('_', '-')
    const name = key.startsWith(`${source}/`) ? key.slice(source.length + 1) : lastOfPath(key, source)
    const provider = providers.get(id) ?? newProvider(id, source)
    providers.set(id, provider)
    const models = provider.models as ListedModel[]
    const own = models.findIndex(({ id: modelId, match }) => 'equals' in match && modelId === name)
    const index = own === -1 ? models.findIndex(({ match }) => matchesName(match, name)) : own
    const listed = models[index]
    if (listed === undefined) {
      if (id === 'aws' && !namesItself(key, source)) continue
      const added = { id: name, match: matchOf(name), prices, ...optional(variantsOf(model)) }
      models.push(added)
      usedModels.add(added)
    } else if (isSameModel(listed, name)) {
      if (usedModels.has(listed)) continue
      const merged = mergeModel(listed, model, prices, `${id}/${listed.id}`, date)
      if (merged.disagreement !== undefined)
        disagreements.push({ model: `${id}/${listed.id}`, listName: choiceFor(`${id}/${listed.id}`) })
      models[index] = merged
      usedModels.add(merged)
    } else if (namesItself(key, source) && disagree(pricesAt(listed, date), prices)) {
      // The first list only matches a name prefix; the second has this exact name.
      const added = {
        id: name,
        match: matchOf(name),
        prices,
        ...optional(variantsOf(model)),
        disagreement: disagreementOf('genai-prices', pricesAt(listed, date)),
      }
      models.push(added)
      usedModels.add(added)
      disagreements.push({ model: `${id}/${name}`, listName: 'litellm' })
    } else if (namesItself(key, source) && !isConditional(listed.prices)) {
      // A version of the model at the same price: its audio prices hold for the others too.
      const own = listed.prices
      const audio = Object.entries(prices).filter(([key]) => key.includes('audio') && own[key] === undefined)
      models[index] = { ...listed, prices: { ...own, ...Object.fromEntries(audio) } }
    }
  }
  return { providers: [...providers.values()].map(withSpecificFirst), disagreements }
}

/** Dated names and versions of a model may have different prices, so only the plain name stands for the model. */
const isSameModel = (model: ListedModel, name: string): boolean =>
  model.id.toLowerCase() === name.toLowerCase() || ('equals' in model.match && matchesName(model.match, name))

const choiceFor = (model: string): string => choices[model] ?? 'genai-prices'

function mergeModel(
  listedModel: ListedModel,
  model: LitellmModel,
  prices: ModelPrices,
  name: string,
  date: Date,
): ListedModel {
  const today = pricesAt(listedModel, date)
  if (disagree(today, prices)) {
    const isSecond = choiceFor(name) === 'litellm'
    return {
      ...listedModel,
      ...(isSecond && { prices, ...optional(variantsOf(model)) }),
      disagreement: isSecond ? disagreementOf('genai-prices', today) : disagreementOf('litellm', prices),
    }
  }
  // Adds prices that only the second list has: audio, cache lifetimes, processing tiers.
  const add = (own: ModelPrices): ModelPrices => ({ ...prices, ...own })
  return {
    ...listedModel,
    prices: isConditional(listedModel.prices)
      ? listedModel.prices.map((each) => ({
          ...each,
          prices: each.prices === today ? add(each.prices) : each.prices,
        }))
      : add(listedModel.prices),
    ...optional(listedModel.price_variants ?? variantsOf(model)),
  }
}

const disagree = (first: ModelPrices, second: ModelPrices): boolean =>
  differs(baseOf(first.input_mtok), baseOf(second.input_mtok)) ||
  differs(baseOf(first.output_mtok), baseOf(second.output_mtok))

const disagreementOf = (source: string, prices: ModelPrices) => ({
  source,
  ...optionalPrice('input_mtok', baseOf(prices.input_mtok)),
  ...optionalPrice('output_mtok', baseOf(prices.output_mtok)),
})

/** Fine-tuned models are named `ft:MODEL:ORGANIZATION::ID`. */
const matchOf = (name: string) => (name.startsWith('ft:') ? { starts_with: name } : { equals: name })

/** False for keys prefixed with a region, commitment or account, whose price differs from that of the plain name. */
const namesItself = (key: string, source: string): boolean =>
  !key.replace(`${source}/`, '').includes('/') && source !== 'bedrock_mantle'

const optional = (variants: readonly PriceVariant[]) =>
  variants.length === 0 ? {} : { price_variants: variants }
const optionalPrice = (key: string, price: number | undefined) =>
  price === undefined ? {} : { [key]: price }

/** Keys such as `us-gov-west-1/anthropic.claude` begin with a region; models of other providers keep their slashes. */
const lastOfPath = (key: string, source: string): string =>
  source.startsWith('bedrock') || source.startsWith('vertex_ai') ? key.slice(key.lastIndexOf('/') + 1) : key

const newProvider = (id: string, source: string): ListedProvider => ({
  id,
  provider_match: { or: [{ equals: id }, { equals: source }] },
  models: [],
})

function trimProvider(provider: ListedProvider): ListedProvider {
  const { id, provider_match, model_match, fallback_model_providers } = provider
  return {
    id,
    ...(provider_match && { provider_match }),
    ...(model_match && { model_match }),
    ...(fallback_model_providers && { fallback_model_providers }),
    models: provider.models.map(({ id: modelId, match, prices, price_variants }) => ({
      id: modelId,
      match,
      prices,
      ...(price_variants && { price_variants }),
    })),
  }
}

/** Models matched by their full name come before models matched by a prefix. */
function withSpecificFirst(provider: ListedProvider): ListedProvider {
  const [exact, others] = [
    provider.models.filter(({ match }) => 'equals' in match),
    provider.models.filter(({ match }) => !('equals' in match)),
  ]
  return { ...provider, models: [...exact, ...others] }
}
