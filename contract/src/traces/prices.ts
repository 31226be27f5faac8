/** Prices of a workspace's own, which win over the kept list. */
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

/** A dollar a token: at most so many tokens as a call may have then cost what sums can hold to the cent. */
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

export const PriceOverride = NamedObject('PriceOverride', 'What a model costs this workspace.', {
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
  summary: 'Lists the prices that take precedence over the built-in price list.',
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

/** Exported as `delete`, which is no legal name for a constant. */
const remove = operation({
  name: 'prices.delete',
  method: 'DELETE',
  path: '/price-overrides/{id}',
  summary: 'Deletes a price. Costs that were computed with it stay.',
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
  models: Type.Integer({ description: 'How many models it has.' }),
  installedAt: Type.Optional(Instant('When it was installed; absent for that of the release.')),
  isInUse: Type.Boolean({ description: 'Whether new costs are computed by it.' }),
})
export type PriceList = Static<typeof PriceList>

export const lists = operation({
  name: 'prices.lists',
  method: 'GET',
  path: '/price-lists',
  summary: 'Lists the price lists of the installation: that of the release, and those installed since.',
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
    'Installs a newer price list for the whole installation: the one in the body, else that of `PLUMBLINE_PRICES`. Costs of new traces follow it on every node within a minute.',
  notes: [
    'A list has the form of `server/prices/prices.json`: `{name, version, sources, providers}`. The list of the release stays in use until an installed one has a later version.',
    'Costs that are stored stay; `recomputations.create` computes them anew.',
    'Only a key of the first workspace may do this.',
  ],
  scope: 'operate',
  role: 'operator',
  input: Type.Object({
    list: Absentable(
      FreeObject('The price list. Absent: that of the file or address in `PLUMBLINE_PRICES`.'),
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
  summary: 'Returns what a model costs now, by a price of the workspace, else by the built-in price list.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    model: Type.String({ minLength: 1, description: 'Model name.' }),
    provider: Type.Optional(Type.String({ description: 'Who serves it.' })),
  }),
  success: 200,
  output: Type.Object({
    price: Nullable(
      Type.Object(
        {
          source: Type.Enum(['price-list', 'override'], { description: 'Which list the price comes from.' }),
          overrideId: Type.Optional(Type.String({ description: 'Id of the price of the workspace.' })),
          provider: Type.Optional(
            Type.String({ description: 'As the list or the override names the model.' }),
          ),
          model: Type.String({ description: 'As the list or the override names the model.' }),
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
            Type.String({ description: 'Since when the prices hold; absent if unknown.' }),
          ),
        },
        { description: 'Null if the model is in neither.' },
      ),
    ),
  }),
  errors: ['invalid_request'],
})
