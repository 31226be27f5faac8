/** The audit log: who changed what, who exported data, and who was denied access. Its entries cannot be changed. */
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

/** The possible outcomes of a request. */
export const auditOutcomes = ['done', 'refused', 'failed', 'interrupted'] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

/** Who can have sent it; `nobody` is an unidentified caller, such as in a failed sign-in. */
export const auditActorTypes = ['person', 'key', 'nobody'] as const
export type AuditActorType = (typeof auditActorTypes)[number]

/** Audited routes that are not operations of the interface: sign-in, sign-out, and copies of the installation. */
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

/** Whether an operation is audited: all except GET, unless the operation is exempt, and sensitive reads. */
export const isAudited = ({ method, audit }: Pick<Operation, 'method' | 'audit'>): boolean =>
  audit === undefined ? method !== 'GET' : audit === 'sensitive read'

/** Minimum retention in days, so that the person who sets it cannot hide recent actions. */
export const auditDaysMin = 30

const State = (description: string) =>
  Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description }),
  )

export const AuditEntry = NamedObject('AuditEntry', 'One request, and what it did or was denied.', {
  id: Type.String({ format: 'uuid' }),
  time: Instant('When the request arrived.'),
  workspaceId: Nullable(Type.String({ description: 'Null if it concerns the installation.' })),
  actor: Type.Object({
    type: Type.Enum([...auditActorTypes], {
      description: 'A person, an API key, or `nobody` for an unidentified caller.',
    }),
    id: Type.String({ description: 'Id of the actor; empty for `nobody`.' }),
    name: Type.String({ description: 'Name at that time.' }),
  }),
  address: Type.String({
    description: 'Address of the client, as reported by the trusted proxies.',
  }),
  userAgent: Type.String({ description: 'First 300 characters of the `User-Agent` header.' }),
  operation: Type.String({
    description:
      'An operation of the interface such as `keys.create`, or `auth.signIn`, `backup.create` and others.',
  }),
  resource: Type.String({ description: 'Resource: the first part of the operation.' }),
  resourceId: Type.String({
    description: 'Id or slug of what it was about; empty if unknown.',
  }),
  outcome: Type.Enum([...auditOutcomes], {
    description:
      '`done`; `refused`: not permitted; `failed`: an error, with some changes possibly made; `interrupted`: it changed something, and the service stopped before it ended.',
  }),
  status: Type.Integer({ description: 'HTTP status; 0 if it was interrupted.' }),
  problem: Type.Optional(Type.String({ description: 'Error code, such as `forbidden`.' })),
  requestId: Type.String({ description: 'Id of the request in the service log.' }),
  requestHash: Type.Optional(
    Type.String({
      description:
        'Present if the request contains data of end users: the HMAC-SHA-256 of its body, with a key of the installation.',
    }),
  ),
  before: State('The settings before the change, without secrets, names of people and data of end users.'),
  after: State('The same settings after the change.'),
})
export type AuditEntry = Static<typeof AuditEntry>

const filters = {
  from: QueryInstant('Entries at this time or later.'),
  to: QueryInstant('Entries before this time.'),
  actor: Type.Optional(
    Type.String({ maxLength: 200, description: 'Id of a person or API key, or part of its name.' }),
  ),
  operation: Type.Optional(
    Type.String({ maxLength: 100, description: 'An operation, such as `keys.create`.' }),
  ),
  resource: Type.Optional(Type.String({ maxLength: 100, description: 'A resource, such as `keys`.' })),
  resourceId: Type.Optional(
    Type.String({ maxLength: 300, description: 'Id or slug of what the entries are about.' }),
  ),
  outcome: Type.Optional(Type.Enum([...auditOutcomes], { description: 'Only those with this outcome.' })),
}

const page = { limit: Limit('Page size; 50 by default.'), cursor: Cursor }

export const list = operation({
  name: 'audit.list',
  method: 'GET',
  path: '/audit',
  summary: 'Lists the audit entries of the workspace, newest first.',
  notes: [
    'The log contains every operation that changes something, exports, and requests that were denied for lack of a role or scope. Recording (`monitor.*`, OpenTelemetry, `scores.create`, `playground.run`) is not in it, because the ledger counts it.',
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
    'Lists the audit entries of all workspaces, including deleted ones, and of the installation: sign-ins, accounts, backups.',
  scope: null,
  role: 'operator',
  input: Type.Object({
    ...filters,
    workspaceId: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Only entries of this workspace; `installation` for entries without one.',
      }),
    ),
    ...page,
  }),
  success: 200,
  output: Type.Object({ entries: Type.Array(AuditEntry), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

/** Exported as `export`, a reserved word. */
const exportEntries = operation({
  name: 'audit.export',
  method: 'GET',
  path: '/audit/export',
  summary: 'Streams the audit entries of the workspace as JSON lines, newest first.',
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
    description: `Days to keep entries, at least ${auditDaysMin}; null keeps them forever. In the first workspace, it also applies to the entries of the installation.`,
  }),
)

export const AuditLogSettings = NamedObject(
  'AuditLogSettings',
  'How long audit entries are kept, and where they are sent.',
  {
    days: Days,
    webhook: Nullable(Type.String({ description: 'Host and end of the webhook URL.' })),
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
    'Sets how long audit entries are kept, and a webhook to which each new entry is sent. Only owners of the workspace may do this.',
  notes: [
    'The webhook receives `{"type": "audit.entry", "timestamp", "data": {"entry"}}`, signed like the webhooks of [channels](alerts.md), at least once and not always in order. Failed deliveries are retried with backoff, and finally become a failed job (`audit.forward`), which can be retried. A new URL replaces the previous one and has a new secret, which only this response contains.',
    'The webhook of the first workspace also receives the entries of the installation.',
  ],
  scope: null,
  role: 'owner',
  input: Type.Object({
    days: Type.Optional(Days),
    webhookUrl: Absentable(
      Type.String({
        maxLength: 2000,
        description: 'URL of the webhook; "" removes it. It is stored encrypted and never returned.',
      }),
    ),
  }),
  success: 200,
  secretOutput: true,
  output: Type.Object({
    settings: AuditLogSettings,
    secret: Nullable(
      Type.String({ description: 'Secret of a new webhook (`whsec_…`); null if the webhook is unchanged.' }),
    ),
  }),
  errors: ['invalid_request'],
})
