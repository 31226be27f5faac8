import { type Static, Type } from 'typebox'
import { operation, scopes } from '../interface/operation.ts'
import { Instant, NamedObject, OptionalTimestamp } from '../interface/shapes.ts'

export const Scopes = Type.Array(Type.Enum([...scopes]), {
  minItems: 1,
  uniqueItems: true,
  description:
    '`ingest`: record traces. `read`: send every GET that a viewer may. `manage`: do what admins may; implies `read`. `operate`: back up, export and import everything; only an owner can create such a key, and it implies no other scope.',
})

export const ApiKey = NamedObject('ApiKey', 'A credential of an application.', {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  prefix: Type.String({ description: 'Beginning of its secret.' }),
  scopes: Scopes,
  createdAt: Instant('When it was created.'),
  expiresAt: Type.Optional(Instant('When it expires.')),
  lastUsedAt: Type.Optional(Instant('When it was last used, to the minute.')),
  revokedAt: Type.Optional(Instant('When it was revoked.')),
})
export type ApiKey = Static<typeof ApiKey>

export const list = operation({
  name: 'keys.list',
  method: 'GET',
  path: '/api-keys',
  summary: 'Lists the API keys, including revoked ones, without their secrets.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ apiKeys: Type.Array(ApiKey) }),
  errors: [],
})

export const create = operation({
  name: 'keys.create',
  method: 'POST',
  path: '/api-keys',
  summary: 'Creates an API key. Only this response contains its secret.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({
    name: Type.String({ minLength: 1, description: 'What the key is for.' }),
    scopes: Scopes,
    expiresAt: OptionalTimestamp('When the key expires; never when absent.'),
  }),
  success: 201,
  secretOutput: true,
  output: Type.Object({ apiKey: ApiKey, secret: Type.String({ description: 'The key itself: `pl_…`.' }) }),
  errors: ['invalid_request'],
})

/** Exported as `delete`, a reserved word. */
const revoke = operation({
  name: 'keys.delete',
  method: 'DELETE',
  path: '/api-keys/{id}',
  summary:
    'Revokes an API key. It stops working on this node at once, and on other nodes as soon as they learn of it.',
  notes: [
    'Nodes check PostgreSQL before they accept a key, so they learn of it at once. A node that gets no response from PostgreSQL accepts a key that it knows for at most ten more minutes.',
    'Revoking a key twice succeeds. A key can revoke itself.',
  ],
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ id: Type.String({ description: 'Id of the key.' }) }),
  success: 204,
  output: null,
  errors: ['key_not_found'],
})

export { revoke as delete }
