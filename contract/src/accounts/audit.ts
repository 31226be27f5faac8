/** The audit log: who changed what, who took data out, and who was refused. Nothing changes or deletes its entries. */
import { type Static, Type } from 'typebox'
import { type Operation, operation } from '../interface/operation.ts'
import {
  Absentable,
  Cursor,
  Instant,
  Limit,
  NamedObject,
  NextCursor,
  Nullable,
  QueryInstant,
} from '../interface/shapes.ts'

/** What can have become of a request. */
export const auditOutcomes = ['done', 'refused', 'failed', 'interrupted'] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

/** Who can have sent it; `nobody` has proven nothing, as at a failed sign-in. */
export const auditActorTypes = ['person', 'key', 'nobody'] as const
export type AuditActorType = (typeof auditActorTypes)[number]

/** What the log has that is no operation of the interface: signing in and out, and copies of the installation. */
export const auditedRoutes = {
  signIn: 'auth.signIn',
  signOut: 'auth.signOut',
  setUp: 'auth.setUp',
  join: 'auth.join',
  resetPassword: 'auth.resetPassword',
  changePassword: 'auth.changePassword',
  forgotPassword: 'auth.forgotPassword',
  updateProfile: 'auth.updateProfile',
  endSession: 'auth.endSession',
  endOtherSessions: 'auth.endOtherSessions',
  backup: 'backup.create',
  verify: 'stores.verify',
} as const
export type AuditedRoute = (typeof auditedRoutes)[keyof typeof auditedRoutes]

/** Whether the audit log has an operation: whatever is no GET, unless it says why not, and reads that say so. */
export const isAudited = ({ method, audit }: Pick<Operation, 'method' | 'audit'>): boolean =>
  audit === undefined ? method !== 'GET' : audit === 'sensitive read'

/** The fewest days that entries are kept: whoever may set the number must not be able to hide what was just done. */
export const auditDaysMin = 30

const State = (description: string) =>
  Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description }),
  )

export const AuditEntry = NamedObject('AuditEntry', 'What one request did, or was refused.', {
  id: Type.String({ format: 'uuid' }),
  time: Instant('When the request arrived.'),
  workspaceId: Nullable(Type.String({ description: 'Null where it is about the installation.' })),
  actor: Type.Object({
    type: Type.Enum([...auditActorTypes], {
      description: 'A person, an API key, or nobody who could be identified.',
    }),
    id: Type.String({ description: 'Empty for nobody.' }),
    name: Type.String({ description: 'The name at that time.' }),
  }),
  address: Type.String({
    description: 'The address of the client, as far as the trusted proxies tell it.',
  }),
  userAgent: Type.String({ description: 'The first 300 characters of the header.' }),
  operation: Type.String({
    description:
      'An operation of the interface such as `keys.create`, or `auth.signIn`, `backup.create` and others.',
  }),
  resource: Type.String({ description: 'The first word of the operation.' }),
  resourceId: Type.String({
    description: 'What it was about, by its id or slug; empty where it is unknown.',
  }),
  outcome: Type.Enum([...auditOutcomes], {
    description:
      '`done`; `refused`: not permitted; `failed`: an error, after which a part may be done; `interrupted`: it changed something, and the service stopped before its end.',
  }),
  status: Type.Integer({ description: 'The HTTP status; 0 where it was interrupted.' }),
  problem: Type.Optional(Type.String({ description: 'The code of the error, such as `forbidden`.' })),
  requestId: Type.String({ description: 'The id of the request in the diagnostics of the service.' }),
  requestHash: Type.Optional(
    Type.String({
      description:
        'Where the request has data of end users: the HMAC-SHA-256 of its body, with a key of the installation.',
    }),
  ),
  before: State('The settings before, without secrets, names of people and data of end users.'),
  after: State('The same after it.'),
})
export type AuditEntry = Static<typeof AuditEntry>

const filters = {
  from: QueryInstant('Entries at this time or later.'),
  to: QueryInstant('Entries before this time.'),
  actor: Type.Optional(
    Type.String({ maxLength: 200, description: 'The id of a person or an API key, or a part of the name.' }),
  ),
  operation: Type.Optional(
    Type.String({ maxLength: 100, description: 'An operation, such as `keys.create`.' }),
  ),
  resource: Type.Optional(Type.String({ maxLength: 100, description: 'A resource, such as `keys`.' })),
  resourceId: Type.Optional(Type.String({ maxLength: 300, description: 'What the entries are about.' })),
  outcome: Type.Optional(Type.Enum([...auditOutcomes], { description: 'Only those with this outcome.' })),
}

const page = { limit: Limit('Page size; 50 by default.'), cursor: Cursor }

export const list = operation({
  name: 'audit.list',
  method: 'GET',
  path: '/audit',
  summary: 'Lists the audit entries of the workspace, the newest first.',
  notes: [
    'It has every operation that changes something, exports, and requests that were refused for lack of a role or scope. Records (`monitor.*`, OpenTelemetry, `scores.create`, `playground.run`) are not in it: the ledger counts those.',
  ],
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ ...filters, ...page }),
  success: 200,
  output: Type.Object({ entries: Type.Array(AuditEntry), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

export const everywhere = operation({
  name: 'audit.everywhere',
  method: 'GET',
  path: '/audit/everywhere',
  summary:
    'Lists the audit entries of all workspaces, those that were deleted too, and of the installation: sign-ins, accounts, backups.',
  scope: null,
  role: 'operator',
  input: Type.Object({
    ...filters,
    workspaceId: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Only those of this workspace; `installation` for those of none.',
      }),
    ),
    ...page,
  }),
  success: 200,
  output: Type.Object({ entries: Type.Array(AuditEntry), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

/** Exported as `export`, which is no legal name for a constant. */
const exportEntries = operation({
  name: 'audit.export',
  method: 'GET',
  path: '/audit/export',
  summary: 'Streams the audit entries of the workspace as JSON lines, the newest first.',
  scope: 'manage',
  role: 'admin',
  audit: 'sensitive read',
  input: Type.Object(filters),
  success: 200,
  output: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/x-ndjson' }),
  errors: ['invalid_request'],
})

export { exportEntries as export }

const Days = Nullable(
  Type.Integer({
    minimum: auditDaysMin,
    maximum: 36_500,
    description: `Days for which entries are kept, at least ${auditDaysMin}; null: forever. In the first workspace it is also for the entries of the installation.`,
  }),
)

export const AuditLogSettings = NamedObject(
  'AuditLogSettings',
  'How long audit entries are kept, and where they are sent.',
  {
    days: Days,
    webhook: Nullable(Type.String({ description: 'The host and the end of the address of the webhook.' })),
  },
)
export type AuditLogSettings = Static<typeof AuditLogSettings>

export const settings = operation({
  name: 'audit.settings',
  method: 'GET',
  path: '/audit/settings',
  summary: 'Returns how long audit entries are kept, and where they are sent.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ settings: AuditLogSettings }),
  errors: [],
})

export const configure = operation({
  name: 'audit.configure',
  method: 'PATCH',
  path: '/audit/settings',
  summary:
    'Sets how long audit entries are kept, and a webhook that each new entry is sent to. Only people who own the workspace may.',
  notes: [
    'The webhook gets `{"type": "audit.entry", "timestamp", "data": {"entry"}}`, signed as those of [channels](alerts.md), at least once and not always in order. What cannot be sent is retried with backoff, and then is a failed job (`audit.forward`), which can be retried. An address replaces the one before and has a new secret, which only this response has.',
    'The webhook of the first workspace also gets the entries of the installation.',
  ],
  scope: null,
  role: 'owner',
  input: Type.Object({
    days: Type.Optional(Days),
    webhookUrl: Absentable(
      Type.String({
        maxLength: 2000,
        description: 'Address of the webhook; "" ends it. It is stored encrypted and never returned.',
      }),
    ),
  }),
  success: 200,
  secretOutput: true,
  output: Type.Object({
    settings: AuditLogSettings,
    secret: Nullable(
      Type.String({ description: 'The secret of a new webhook (`whsec_…`); null where it stays as it is.' }),
    ),
  }),
  errors: ['invalid_request'],
})
