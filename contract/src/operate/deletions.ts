/** Deletion of recorded traces: one, a selection, or whatever matches a filter. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Cursor, Instant, Limit, NamedObject, NextCursor, Nullable } from '../interface/shapes.ts'
import { FilterObject, q, traceFilters } from '../traces/trace-filters.ts'

/**
 * `purging`: no request finds the rows any more, and the engine has yet to remove them from the disk. `cancelled`: either of
 * them, until the job is retried.
 */
export const deletionStates = ['running', 'purging', 'done', 'cancelled'] as const
export type DeletionState = (typeof deletionStates)[number]

/** How many rows, by the place where they are. */
export const DeletedRows = (description: string) =>
  Type.Record(Type.String(), Type.Integer(), { description })

export const deletionFields = {
  id: Type.String({ format: 'uuid' }),
  status: Type.Enum([...deletionStates], {
    description:
      '`running`: rows are being deleted. `purging`: no request finds them any more, and they are yet to be removed from the disk. `done`: they are. `cancelled`: somebody has cancelled the job before it was done, and it goes on when the job is retried.',
  }),
  expectedTraces: Type.Integer({ description: 'Traces that matched when it was requested.' }),
  deleted: DeletedRows('Rows deleted so far, by place, such as `traces` and `logs`.'),
  requestedAt: Instant('Traces that arrived later stay.'),
  requestedBy: Type.String({ description: 'Name of the person or API key, as it was then.' }),
  deletedAt: Nullable(Instant('Since when no request finds the rows; null while they are being deleted.')),
  finishedAt: Nullable(Instant('Since when they are gone from the disk; null until then.')),
  problem: Nullable(
    Type.String({ description: 'Why the last attempt failed; the service tries again by itself.' }),
  ),
}

const TraceFilter = FilterObject(
  { ...traceFilters, q },
  { description: 'Traces that match all of these, as in `traces.list`.' },
)

export const Deletion = NamedObject('Deletion', 'A deletion of traces.', {
  ...deletionFields,
  traceIds: Nullable(Type.Integer({ description: 'How many ids were named; null for a filter.' })),
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
      description: 'Ids of traces. Give these or `filter`; ids of no trace are ignored.',
    }),
  ),
  filter: Absentable(TraceFilter),
}

export const preview = operation({
  name: 'deletions.preview',
  method: 'POST',
  path: '/deletions/preview',
  summary: 'Counts what a deletion would delete, and deletes nothing.',
  scope: 'manage',
  role: 'editor',
  audit: 'nothing lasting',
  input: Type.Object(whichTraces),
  success: 200,
  output: Type.Object({
    traces: Type.Integer({ description: 'Traces that match now.' }),
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
    'Deletes traces that have arrived by now, with their logs, scores, spans, evaluations and places in annotation queues. A job carries it out, also after a restart.',
  notes: [
    'What was acknowledged and is still in the spool is deleted too. Spans that arrive later for a deleted OpenTelemetry trace are dropped for seven days.',
    'Metrics leave the traces out from then on. Rows of datasets that were made from the traces stay.',
    'The rows are gone from every response at `deletedAt`. The service removes them from the disk in the following night.',
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
  summary: 'Returns one deletion and how far it is.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: Type.String({ description: 'Id of the deletion.' }) }),
  success: 200,
  output: Type.Object({ deletion: Deletion }),
  errors: ['deletion_not_found'],
})
