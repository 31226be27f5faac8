/** Signed links with which people without an account can read one masked trace until the link expires or is revoked. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Instant, NamedObject } from '../interface/shapes.ts'

export const shareDaysMax = 90

const TraceId = Type.String({ description: 'Id of the trace.' })
const id = Type.String({ description: 'Id of the link.' })

export const ShareLink = NamedObject('ShareLink', 'A link with which anyone can read one trace.', {
  id,
  traceId: TraceId,
  url: Type.String({ description: 'URL of the link; anyone who has it can read the trace.' }),
  createdBy: Type.String({ description: 'Id of the person or API key.' }),
  createdByName: Type.Optional(Type.String({ description: 'Current name of that person or key.' })),
  createdAt: Instant('When it was created.'),
  expiresAt: Instant('When it stops working.'),
  revokedAt: Type.Optional(Instant('When it was revoked.')),
})
export type ShareLink = Static<typeof ShareLink>

export const list = operation({
  name: 'shares.list',
  method: 'GET',
  path: '/shares',
  summary:
    'Lists the latest 200 links to a trace, or to all traces, newest first, including revoked and expired ones.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ traceId: Type.Optional(TraceId) }),
  success: 200,
  output: Type.Object({ shares: Type.Array(ShareLink) }),
  errors: [],
})

export const create = operation({
  name: 'shares.create',
  method: 'POST',
  path: '/shares',
  summary: 'Creates a link with which anyone can read a trace until the link expires.',
  notes: [
    'The trace is shown without its user, organization and scores. Everything that the masking detectors find (e-mail addresses, card numbers, IBANs, phone numbers, IP addresses, API keys) is masked, regardless of the masking rules of the workspace.',
  ],
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    traceId: TraceId,
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: shareDaysMax,
        description: 'Days until it expires; 7 by default.',
      }),
    ),
  }),
  success: 201,
  output: Type.Object({ share: ShareLink }),
  errors: ['invalid_request', 'trace_not_found'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'shares.delete',
  method: 'DELETE',
  path: '/shares/{id}',
  summary: 'Revokes a link; it stops working at once.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id }),
  success: 204,
  output: null,
  errors: ['share_not_found'],
})

export { remove as delete }
