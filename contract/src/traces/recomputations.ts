/** Recomputing the costs of recorded traces with another price list: compared first, then applied. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Instant, NamedObject, Nullable, OptionalTimestamp } from '../interface/shapes.ts'

export const CostDifference = NamedObject(
  'CostDifference',
  'The cost of the generations of one feature and model, before and after.',
  {
    featureSlug: Nullable(Type.String()),
    provider: Nullable(Type.String()),
    model: Nullable(Type.String()),
    generations: Type.Integer({ description: 'Number of generations whose cost differs.' }),
    before: Type.Number({ description: 'Sum of their costs as stored, in US dollars.' }),
    after: Type.Number({ description: 'Sum of their costs by the price list.' }),
    unpricedBefore: Type.Integer({ description: 'Number of them that had no cost.' }),
  },
)
export type CostDifference = Static<typeof CostDifference>

export const Recomputation = NamedObject(
  'Recomputation',
  'A recomputation of the costs of recorded traces.',
  {
    id: Type.String({ format: 'uuid' }),
    from: Instant('Start of the range, inclusive.'),
    to: Instant('End of the range, exclusive.'),
    listVersion: Type.String({ description: 'Version of the price list.' }),
    status: Type.Enum(['comparing', 'compared', 'applying', 'applied'], {
      description:
        '`compared`: the differences are known, and nothing has changed yet. `applied`: the new costs are stored.',
    }),
    traces: Type.Integer({ description: 'Number of traces compared.' }),
    differences: Type.Array(CostDifference, { description: 'The largest first.' }),
    requestedBy: Type.String({ description: 'Name of the person or API key at that time.' }),
    requestedAt: Instant('When it was requested.'),
    finishedAt: Nullable(Instant('When it was compared or applied; null while it is running.')),
  },
)
export type Recomputation = Static<typeof Recomputation>

const id = Type.String({ description: 'Id of the recomputation.' })

export const create = operation({
  name: 'recomputations.create',
  method: 'POST',
  path: '/recomputations',
  summary:
    'Compares the stored costs of a range of traces with the costs by a price list and the prices of the workspace. Nothing changes until `recomputations.apply`.',
  notes: [
    'A cost that the client reported stays. Tokens stay as they were recorded or counted.',
    'The prices in effect at the time of each generation apply, as far as the list has dates.',
  ],
  scope: 'manage',
  role: 'admin',
  input: Type.Object({
    from: OptionalTimestamp('Traces that start at this instant or later; 30 days ago when absent.'),
    to: OptionalTimestamp('Traces that start before this instant; now when absent.'),
    listVersion: Absentable(
      Type.String({
        maxLength: 40,
        description: 'Version of the price list, as in `prices.lists`; the one in use when absent.',
      }),
    ),
  }),
  success: 201,
  output: Type.Object({ recomputation: Recomputation }),
  errors: ['invalid_request'],
})

export const list = operation({
  name: 'recomputations.list',
  method: 'GET',
  path: '/recomputations',
  summary: 'Lists recomputations of costs, the latest 100 first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ recomputations: Type.Array(Recomputation) }),
  errors: [],
})

export const get = operation({
  name: 'recomputations.get',
  method: 'GET',
  path: '/recomputations/{id}',
  summary: 'Returns a recomputation with its differences by feature and model.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id }),
  success: 200,
  output: Type.Object({ recomputation: Recomputation }),
  errors: ['recomputation_not_found'],
})

export const apply = operation({
  name: 'recomputations.apply',
  method: 'POST',
  path: '/recomputations/{id}/apply',
  summary:
    'Starts a job that stores the compared costs. The previous cost stays in `costDetail.previous` of each generation.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ id }),
  success: 200,
  output: Type.Object({ recomputation: Recomputation }),
  errors: ['recomputation_not_found', 'recomputation_not_compared'],
})
