/** Links by which somebody without an account reads one trace: signed, masked, until they expire or are revoked. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Instant, NamedObject } from '../interface/shapes.ts'

export const shareDaysMax = 90

const TraceId = Type.String({ description: 'Id of the trace.' })
const id = Type.String({ description: 'Id of the link.' })

export const ShareLink = NamedObject('ShareLink', 'A link by which anyone who has it reads a trace.', {
  id,
  traceId: TraceId,
  url: Type.String({ description: 'Its address; whoever has it reads the trace.' }),
  createdBy: Type.String({ description: 'Id of the person or the API key.' }),
  createdByName: Type.Optional(Type.String({ description: 'What the person or the key is called.' })),
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
    'Lists the links of a trace, or of all traces, newest first: the latest 200, revoked and expired ones too.',
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
  summary: 'Creates a link by which anyone who has it reads a trace until it expires.',
  notes: [
    'The trace is shown without its user, organization and scores, and what the masking detectors find (e-mail addresses, card numbers, IBANs, phone numbers, IP addresses, API keys) is masked, whatever the rules of the workspace are.',
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

/** Exported as `delete`, which is no legal name for a constant. */
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
