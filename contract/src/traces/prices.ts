/** A workspace's own prices, which take precedence over the price list. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import {
  Absentable,
  FreeObject,
  Instant,
  NamedObject,
  Nullable,
  OptionalTimestamp,
} from '../interface/shapes.ts'

/** A dollar a token: at this price, sums still hold the cost of the largest allowed token count to the cent. */
export const pricePerMillionMax = 1_000_000

const PerMillion = (description: string) =>
  Type.Number({ minimum: 0, maximum: pricePerMillionMax, description })

const prices = {
  inputPerMillion: PerMillion('US dollars for a million fresh input tokens.'),
  outputPerMillion: PerMillion('US dollars for a million output tokens.'),
}
const cachePrices = {
  cacheReadPerMillion: PerMillion('US dollars for a million tokens read from a cache; as input when absent.'),
  cacheWritePerMillion: PerMillion(
    'US dollars for a million tokens written to a cache; as input when absent.',
  ),
  reasoningPerMillion: PerMillion('US dollars for a million reasoning tokens; as output when absent.'),
}

export const PriceOverride = NamedObject('PriceOverride', 'The price of a model in this workspace.', {
  id: Type.String({ format: 'uuid' }),
  provider: Type.Optional(Type.String({ description: 'Any provider when absent.' })),
  model: Type.String({ description: 'Model name; `*` stands for any characters.' }),
  startsAt: Type.Optional(Instant('When it takes effect; always when absent.')),
  ...prices,
  cacheReadPerMillion: Type.Optional(cachePrices.cacheReadPerMillion),
  cacheWritePerMillion: Type.Optional(cachePrices.cacheWritePerMillion),
  reasoningPerMillion: Type.Optional(cachePrices.reasoningPerMillion),
  createdAt: Instant('When it was created.'),
})
export type PriceOverride = Static<typeof PriceOverride>

export const list = operation({
  name: 'prices.list',
  method: 'GET',
  path: '/price-overrides',
  summary: "Lists the workspace's own prices, which take precedence over the price list.",
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ priceOverrides: Type.Array(PriceOverride) }),
  errors: [],
})

export const create = operation({
  name: 'prices.create',
  method: 'POST',
  path: '/price-overrides',
  summary: 'Sets a price for future traces.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({
    provider: Absentable(Type.String({ minLength: 1, description: 'Any provider when absent.' })),
    model: Type.String({ minLength: 1, description: 'Model name; `*` stands for any characters.' }),
    startsAt: OptionalTimestamp('When it takes effect, by the start of the generation; always when absent.'),
    ...prices,
    cacheReadPerMillion: Absentable(cachePrices.cacheReadPerMillion),
    cacheWritePerMillion: Absentable(cachePrices.cacheWritePerMillion),
    reasoningPerMillion: Absentable(cachePrices.reasoningPerMillion),
  }),
  success: 201,
  output: Type.Object({ priceOverride: PriceOverride }),
  errors: ['invalid_request'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'prices.delete',
  method: 'DELETE',
  path: '/price-overrides/{id}',
  summary: 'Deletes a price. Costs already computed with it stay.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ id: Type.String({ description: 'Id of the price override.' }) }),
  success: 204,
  output: null,
  errors: ['price_not_found'],
})

export { remove as delete }

export const PriceList = NamedObject('PriceList', 'A price list of the installation.', {
  version: Type.String({ description: 'Its date; the latest is in use.' }),
  source: Type.String({ description: '`release`, or where it was installed from.' }),
  models: Type.Integer({ description: 'Number of models.' }),
  installedAt: Type.Optional(Instant('When it was installed; absent for the list of the release.')),
  isInUse: Type.Boolean({ description: 'Whether new costs are computed with it.' }),
})
export type PriceList = Static<typeof PriceList>

export const lists = operation({
  name: 'prices.lists',
  method: 'GET',
  path: '/price-lists',
  summary: 'Lists the price lists of the installation: the one in the release, and those installed since.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ priceLists: Type.Array(PriceList) }),
  errors: [],
})

export const update = operation({
  name: 'prices.update',
  method: 'POST',
  path: '/price-lists',
  summary:
    'Installs a newer price list for the whole installation: the one in the body, else the one at `PLUMBLINE_PRICES`. Every node uses it for new traces within a minute.',
  notes: [
    'A list has the form of `server/prices/prices.json`: `{name, version, sources, providers}`. The list of the release stays in use until an installed one has a later version.',
    'Stored costs stay as they are; `recomputations.create` recomputes them.',
    'Requires a key of the first workspace.',
  ],
  scope: 'operate',
  role: 'operator',
  input: Type.Object({
    list: Absentable(
      FreeObject('The price list; when absent, it is read from the file or address in `PLUMBLINE_PRICES`.'),
    ),
  }),
  success: 200,
  output: Type.Object({ priceList: PriceList }),
  errors: ['invalid_request'],
})

export const find = operation({
  name: 'prices.find',
  method: 'GET',
  path: '/prices',
  summary: 'Returns the current price of a model: that of the workspace, else that of the price list.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    model: Type.String({ minLength: 1, description: 'Model name.' }),
    provider: Type.Optional(Type.String({ description: 'Provider that serves it.' })),
  }),
  success: 200,
  output: Type.Object({
    price: Nullable(
      Type.Object(
        {
          source: Type.Enum(['price-list', 'override'], { description: 'Which list the price comes from.' }),
          overrideId: Type.Optional(Type.String({ description: 'Id of the price override.' })),
          provider: Type.Optional(
            Type.String({ description: 'Provider, as named in the list or the override.' }),
          ),
          model: Type.String({ description: 'Model, as named in the list or the override.' }),
          inputPerMillion: Type.Optional(
            Type.Number({ description: 'US dollars for a million fresh input tokens.' }),
          ),
          outputPerMillion: Type.Optional(
            Type.Number({ description: 'US dollars for a million output tokens.' }),
          ),
          cacheReadPerMillion: Type.Optional(Type.Number()),
          cacheWritePerMillion: Type.Optional(Type.Number()),
          reasoningPerMillion: Type.Optional(Type.Number()),
          audioInputPerMillion: Type.Optional(Type.Number()),
          audioOutputPerMillion: Type.Optional(Type.Number()),
          cacheWriteHourPerMillion: Type.Optional(Type.Number()),
          list: Type.Optional(Type.String({ description: 'Version of the price list.' })),
          effectiveDate: Type.Optional(
            Type.String({ description: 'Date from which the prices apply; absent if unknown.' }),
          ),
        },
        { description: 'Null if neither has the model.' },
      ),
    ),
  }),
  errors: ['invalid_request'],
})
