/** Checks an external price list before it is used. */
import { pricePerMillionMax } from '@plumbline/contract'
import type { ListedModel, NameMatch, PriceListFile } from './price-list-file.ts'

/** A problem with a list; the message begins with the place. */
export class PriceListProblem extends Error {
  override readonly name = 'PriceListProblem'
}

/** The list; throws a `PriceListProblem` whose message names the wrong part. */
export function readPriceList(value: unknown): PriceListFile {
  const list = recordOf(value, 'list')
  if (typeof list.name !== 'string') throw new PriceListProblem('list.name: must be a string')
  if (typeof list.version !== 'string' || !/^\d{4}-\d{2}-\d{2}[0-9a-z.-]{0,20}$/.test(list.version))
    throw new PriceListProblem('list.version: must be a date such as 2026-11-22')
  if (!Array.isArray(list.providers)) throw new PriceListProblem('list.providers: must be an array')
  for (const [index, provider] of list.providers.entries())
    checkProvider(provider, `list.providers[${index}]`)
  const sources = Array.isArray(list.sources) ? list.sources : []
  // Safe: all fields that are read from a list are checked above and below.
  return { ...list, sources } as unknown as PriceListFile
}

/** How many models a list has. */
export const modelsIn = ({ providers }: PriceListFile): number =>
  providers.reduce((sum, { models }) => sum + models.length, 0)

function checkProvider(value: unknown, path: string): void {
  const provider = recordOf(value, path)
  if (typeof provider.id !== 'string') throw new PriceListProblem(`${path}.id: must be a string`)
  if (provider.provider_match !== undefined) checkMatch(provider.provider_match, `${path}.provider_match`, 0)
  if (provider.model_match !== undefined) checkMatch(provider.model_match, `${path}.model_match`, 0)
  if (!Array.isArray(provider.models)) throw new PriceListProblem(`${path}.models: must be an array`)
  for (const [index, model] of provider.models.entries()) checkModel(model, `${path}.models[${index}]`)
}

function checkModel(value: unknown, path: string): void {
  const model = recordOf(value, path)
  if (typeof model.id !== 'string') throw new PriceListProblem(`${path}.id: must be a string`)
  checkMatch(model.match, `${path}.match`, 0)
  const conditional = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }]
  if (conditional.length === 0) throw new PriceListProblem(`${path}.prices: must not be empty`)
  for (const [index, each] of conditional.entries())
    checkPrices(recordOf(each, `${path}.prices[${index}]`), `${path}.prices[${index}]`)
  const variants = (model as unknown as ListedModel).price_variants ?? []
  if (!Array.isArray(variants)) throw new PriceListProblem(`${path}.price_variants: must be an array`)
  for (const [index, each] of variants.entries()) {
    const place = `${path}.price_variants[${index}]`
    recordOf(recordOf(each, place).when, `${place}.when`)
    checkPrices(recordOf(each, place), place)
  }
}

function checkPrices({ prices, constraint }: Readonly<Record<string, unknown>>, path: string): void {
  for (const [key, price] of Object.entries(recordOf(prices, `${path}.prices`))) {
    if (isPrice(price) || price === undefined) continue
    const { base, tiers } = recordOf(price, `${path}.prices.${key}`)
    const isTiered =
      isPrice(base) &&
      Array.isArray(tiers) &&
      tiers.every((tier) => isCount(field(tier, 'start')) && isPrice(field(tier, 'price')))
    if (!isTiered)
      throw new PriceListProblem(
        `${path}.prices.${key}: must be a number from 0 to ${pricePerMillionMax}, or {base, tiers}`,
      )
  }
  if (constraint === undefined || constraint === null) return
  const type = field(constraint, 'type')
  const isDate = type === 'start_date' && !Number.isNaN(Date.parse(String(field(constraint, 'start_date'))))
  const isTime = type === 'time_of_date' && /^\d{2}:\d{2}/.test(String(field(constraint, 'start_time')))
  if (!isDate && !isTime)
    throw new PriceListProblem(`${path}.constraint: must be a start_date or a time_of_date`)
}

const depthMax = 5

function checkMatch(value: unknown, path: string, depth: number): void {
  const match = recordOf(value, path) as unknown as NameMatch
  if (depth > depthMax) throw new PriceListProblem(`${path}: is nested too deep`)
  if ('or' in match || 'and' in match) {
    const parts = 'or' in match ? match.or : match.and
    if (!Array.isArray(parts)) throw new PriceListProblem(`${path}: must have an array`)
    for (const part of parts) checkMatch(part, path, depth + 1)
    return
  }
  const [rule] = Object.values(match)
  if (typeof rule !== 'string')
    throw new PriceListProblem(`${path}: must be a rule such as {"equals": "gpt-4o"}`)
  if (!('regex' in match)) return
  try {
    new RegExp(rule)
  } catch {
    throw new PriceListProblem(`${path}.regex: is not a regular expression`)
  }
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0

const isPrice = (value: unknown): boolean => isCount(value) && value <= pricePerMillionMax

const field = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined

function recordOf(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PriceListProblem(`${path}: must be an object`)
  return value as Record<string, unknown>
}
