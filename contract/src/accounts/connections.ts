/** Connections to providers of models, for the playground and for evaluators that ask a model. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Instant, NamedObject } from '../interface/shapes.ts'

export const connectionProviders = [
  'open-ai',
  'anthropic',
  'gemini',
  'azure',
  'bedrock',
  'mistral',
  'openai-compatible',
] as const

const Name = Type.String({ minLength: 1, maxLength: 200, description: 'Its name, unique in the workspace.' })
const BaseUrl = Type.String({
  maxLength: 2000,
  description:
    'Address of its API; that of the provider when absent. Azure and `openai-compatible` need one.',
})
const Region = Type.String({ maxLength: 64, pattern: '^[a-z0-9-]+$', description: 'Region of Bedrock.' })
const Models = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 200,
  description: 'Models to offer.',
})
const Key = Type.String({
  minLength: 1,
  maxLength: 10_000,
  description: 'Its API key. It is stored encrypted and never returned.',
})
const ConcurrencyMax = Type.Integer({
  minimum: 1,
  maximum: 256,
  description: 'Calls that evaluators and runs of experiments make at a time; 8 when absent.',
})
const SpendMaxPerDay = Type.Number({
  minimum: 0,
  description:
    'US dollars that evaluators and runs of experiments may spend in a day (UTC); without a limit when absent.',
})

export const Connection = NamedObject('Connection', 'A model provider with its API key.', {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  provider: Type.Enum([...connectionProviders]),
  baseUrl: Type.Optional(Type.String({ description: 'Only when set.' })),
  region: Type.Optional(Type.String({ description: 'Only when set.' })),
  models: Type.Array(Type.String(), { description: 'Models to offer.' }),
  keyEnd: Type.Optional(
    Type.String({ description: 'The last four characters of the key; absent without one.' }),
  ),
  concurrencyMax: Type.Optional(Type.Integer({ description: 'Only when set.' })),
  spendMaxPerDay: Type.Optional(Type.Number({ description: 'Only when set.' })),
  spentToday: Type.Number({
    description:
      'US dollars that evaluators, the probes of their models, and runs of experiments have spent of it since midnight (UTC), by the prices of the workspace. `spendMaxPerDay` limits it. The playground, `evaluators.test`, `connections.test` and responses of unknown cost do not count.',
  }),
  createdAt: Instant('When it was made.'),
})
export type Connection = Static<typeof Connection>

const Id = Type.String({ description: 'Id of the connection.' })

export const list = operation({
  name: 'connections.list',
  method: 'GET',
  path: '/connections',
  summary: 'Lists the connections to model providers, by name, without their keys.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ connections: Type.Array(Connection) }),
  errors: [],
})

export const create = operation({
  name: 'connections.create',
  method: 'POST',
  path: '/connections',
  summary: 'Creates a connection to a model provider.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({
    name: Name,
    provider: Type.Enum([...connectionProviders], { description: 'Provider of the API.' }),
    apiKey: Absentable(Key),
    baseUrl: Absentable(BaseUrl),
    region: Absentable(Region),
    models: Absentable(Models),
    concurrencyMax: Absentable(ConcurrencyMax),
    spendMaxPerDay: Absentable(SpendMaxPerDay),
  }),
  success: 201,
  output: Type.Object({ connection: Connection }),
  errors: ['invalid_request', 'already_exists'],
})

export const update = operation({
  name: 'connections.update',
  method: 'PATCH',
  path: '/connections/{id}',
  summary:
    'Changes a connection. A new address needs the key again, because the stored key belongs to the old address.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({
    id: Id,
    name: Type.Optional(Name),
    apiKey: Absentable(Key),
    baseUrl: Absentable(BaseUrl),
    region: Absentable(Region),
    models: Type.Optional(Models),
    concurrencyMax: Absentable(ConcurrencyMax),
    spendMaxPerDay: Absentable(SpendMaxPerDay),
  }),
  success: 200,
  output: Type.Object({ connection: Connection }),
  errors: ['invalid_request', 'connection_not_found', 'already_exists'],
})

/** Exported as `delete`, which is no legal name for a constant. */
const remove = operation({
  name: 'connections.delete',
  method: 'DELETE',
  path: '/connections/{id}',
  summary: 'Deletes a connection and its key.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ id: Id }),
  success: 204,
  output: null,
  errors: ['connection_not_found'],
})

export { remove as delete }

export const test = operation({
  name: 'connections.test',
  method: 'POST',
  path: '/connections/{id}/test',
  summary: 'Sends a short request to a model, to check that the connection works.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({
    id: Id,
    model: Absentable(
      Type.String({ minLength: 1, description: 'The model; the first of its models when absent.' }),
    ),
  }),
  success: 200,
  output: Type.Object({
    works: Type.Boolean(),
    model: Type.String({ description: 'The model that was called.' }),
    durationMs: Type.Number(),
    problem: Type.Optional(Type.String({ description: 'What went wrong, as the provider reports it.' })),
  }),
  errors: ['invalid_request', 'connection_locked', 'connection_not_found'],
})
