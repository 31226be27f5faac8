/** Connections to model providers, for the playground and for evaluators that call a model. */
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
    'URL of its API; that of the provider when absent. Required for Azure and `openai-compatible`.',
})
const Region = Type.String({ maxLength: 64, pattern: '^[a-z0-9-]+$', description: 'Bedrock region.' })
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
  description: 'Maximum number of concurrent calls by evaluators and experiment runs; 8 when absent.',
})
const SpendMaxPerDay = Type.Number({
  minimum: 0,
  description:
    'US dollars that evaluators and experiment runs may spend per day (UTC); unlimited when absent.',
})

export const Connection = NamedObject('Connection', 'A model provider with its API key.', {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  provider: Type.Enum([...connectionProviders]),
  baseUrl: Type.Optional(Type.String({ description: 'Present only if set.' })),
  region: Type.Optional(Type.String({ description: 'Present only if set.' })),
  models: Type.Array(Type.String(), { description: 'Models to offer.' }),
  keyEnd: Type.Optional(
    Type.String({ description: 'The last four characters of the key; absent without one.' }),
  ),
  concurrencyMax: Type.Optional(Type.Integer({ description: 'Present only if set.' })),
  spendMaxPerDay: Type.Optional(Type.Number({ description: 'Present only if set.' })),
  spentToday: Type.Number({
    description:
      'US dollars that evaluators, the health probes of their models, and experiment runs have spent since midnight (UTC), by the prices of the workspace. `spendMaxPerDay` limits it. The playground, `evaluators.test`, `connections.test` and responses of unknown cost do not count.',
  }),
  createdAt: Instant('When it was created.'),
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
    'Changes a connection. A new URL requires the key again, because the stored key belongs to the old URL.',
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

/** Exported as `delete`, a reserved word. */
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
    problem: Type.Optional(Type.String({ description: 'What went wrong, as reported by the provider.' })),
  }),
  errors: ['invalid_request', 'connection_locked', 'connection_not_found'],
})
