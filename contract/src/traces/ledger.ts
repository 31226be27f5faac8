/** The ingestion ledger, which accounts for every record received. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Instant, NamedObject, QueryInstant } from '../interface/shapes.ts'

export const LedgerEntry = NamedObject(
  'LedgerEntry',
  'Records that one API key or person sent in one hour.',
  {
    hour: Instant('Start of the hour of arrival.'),
    apiKeyId: Type.String({
      description: 'Id of the API key, or of the person who recorded in the web app.',
    }),
    apiKeyName: Type.Optional(Type.String({ description: 'Name of that key or person, if known.' })),
    received: Type.Integer({ description: 'stored + deduplicated + rejected.' }),
    stored: Type.Integer({ description: 'Traces in the trace store, or in the spool on their way to it.' }),
    deduplicated: Type.Integer({
      description: 'Retries with an Idempotency-Key whose record was stored before.',
    }),
    rejected: Type.Integer({ description: 'Rejected, for the reasons below.' }),
    sampled: Type.Integer({ description: 'Stored, and sampled for evaluation.' }),
    sampledOut: Type.Integer({ description: 'Stored, with evaluators, but not sampled.' }),
    reasons: Type.Array(
      Type.Object({
        reason: Type.String({ description: 'The code of the error, or `store_refused`.' }),
        count: Type.Integer(),
        lastAt: Instant('When it last happened.'),
        lastSample: Type.String({ description: 'Beginning of the last rejected body.' }),
      }),
    ),
  },
)
export type LedgerEntry = Static<typeof LedgerEntry>

export const list = operation({
  name: 'ledger.list',
  method: 'GET',
  path: '/monitor/ledger',
  summary:
    'Lists how many records were received, stored, deduplicated, rejected and sampled, per API key and hour, newest first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    apiKeyId: Type.Optional(Type.String({ description: 'Only this key.' })),
    from: QueryInstant('Hours from this instant on; the last 7 days by default.'),
    to: QueryInstant('Hours before this instant.'),
  }),
  success: 200,
  output: Type.Object({
    entries: Type.Array(LedgerEntry),
    pending: Type.Integer({ description: 'Acknowledged records that are not in the trace store yet.' }),
  }),
  errors: ['invalid_request'],
})
