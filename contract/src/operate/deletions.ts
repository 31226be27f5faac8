/** Deletion of recorded traces: one, a selection, or all that match a filter. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Cursor, Instant, Limit, NamedObject, NextCursor, Nullable } from '../interface/shapes.ts'
import { FilterObject, q, traceFilters } from '../traces/trace-filters.ts'

/**
 * `purging`: the rows no longer appear in responses, but the engine has yet to remove them from disk. `cancelled`: cancelled
 * in either state, until the job is retried.
 */
export const deletionStates = ['running', 'purging', 'done', 'cancelled'] as const
export type DeletionState = (typeof deletionStates)[number]

/** Row counts by place. */
export const DeletedRows = (description: string) =>
  Type.Record(Type.String(), Type.Integer(), { description })

export const deletionFields = {
  id: Type.String({ format: 'uuid' }),
  status: Type.Enum([...deletionStates], {
    description:
      '`running`: rows are being deleted. `purging`: the rows no longer appear in responses, but are not removed from disk yet. `done`: they are removed. `cancelled`: the job was cancelled before it was done, and continues if it is retried.',
  }),
  expectedTraces: Type.Integer({ description: 'Number of traces that matched when it was requested.' }),
  deleted: DeletedRows('Rows deleted so far, by place, such as `traces` and `logs`.'),
  requestedAt: Instant('When it was requested. Traces that arrive later stay.'),
  requestedBy: Type.String({ description: 'Name of the person or API key at that time.' }),
  deletedAt: Nullable(
    Instant('When the rows disappeared from all responses; null while they are being deleted.'),
  ),
  finishedAt: Nullable(Instant('When the rows were removed from disk; null until then.')),
  problem: Nullable(
    Type.String({ description: 'Why the last attempt failed; the service retries on its own.' }),
  ),
}

const TraceFilter = FilterObject(
  { ...traceFilters, q },
  { description: 'Selects the traces that match all of these filters, as in `traces.list`.' },
)

export const Deletion = NamedObject('Deletion', 'A deletion of traces.', {
  ...deletionFields,
  traceIds: Nullable(Type.Integer({ description: 'Number of ids in the request; null for a filter.' })),
  filter: Nullable(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The filter; null for ids.',
    }),
  ),
})
export type Deletion = Static<typeof Deletion>

export const deletionIdsMax = 10_000

const uuidPattern = '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

const whichTraces = {
  ids: Absentable(
    Type.Array(Type.String({ pattern: uuidPattern }), {
      minItems: 1,
      maxItems: deletionIdsMax,
      description: 'Ids of traces. Send either these or `filter`; unknown ids are ignored.',
    }),
  ),
  filter: Absentable(TraceFilter),
}

export const preview = operation({
  name: 'deletions.preview',
  method: 'POST',
  path: '/deletions/preview',
  summary: 'Counts what a deletion would delete, without deleting anything.',
  scope: 'manage',
  role: 'editor',
  audit: 'nothing lasting',
  input: Type.Object(whichTraces),
  success: 200,
  output: Type.Object({
    traces: Type.Integer({ description: 'Number of traces that match now.' }),
    logs: Type.Integer(),
    scores: Type.Integer(),
  }),
  errors: ['invalid_request'],
})

export const create = operation({
  name: 'deletions.create',
  method: 'POST',
  path: '/deletions',
  summary:
    'Deletes traces that have arrived by now, with their logs, scores, spans, evaluations and items in annotation queues. A job does this, and continues after a restart.',
  notes: [
    'Acknowledged traces that are still in the spool are deleted too. For seven days, spans that arrive for a deleted OpenTelemetry trace are dropped.',
    'Metrics no longer include the traces. Dataset rows that were made from the traces stay.',
    'From `deletedAt` on, the rows no longer appear in any response. The service removes them from disk during the following night.',
  ],
  scope: 'manage',
  role: 'editor',
  input: Type.Object(whichTraces),
  success: 201,
  output: Type.Object({ deletion: Deletion }),
  errors: ['invalid_request'],
})

export const list = operation({
  name: 'deletions.list',
  method: 'GET',
  path: '/deletions',
  summary: 'Lists deletions of traces, latest first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ limit: Limit('Page size; 50 by default.'), cursor: Cursor }),
  success: 200,
  output: Type.Object({ deletions: Type.Array(Deletion), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

export const get = operation({
  name: 'deletions.get',
  method: 'GET',
  path: '/deletions/{id}',
  summary: 'Returns one deletion with its progress.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: Type.String({ description: 'Id of the deletion.' }) }),
  success: 200,
  output: Type.Object({ deletion: Deletion }),
  errors: ['deletion_not_found'],
})
