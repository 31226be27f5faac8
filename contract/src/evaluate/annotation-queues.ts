/** Queues of traces and logs that people judge. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import {
  Absentable,
  Cursor,
  Instant,
  Limit,
  NamedObject,
  NextCursor,
  Nullable,
  Slug,
} from '../interface/shapes.ts'
import { FilterObject, q, traceFilters } from '../traces/trace-filters.ts'
import { Annotator, AnnotatorAgreement } from './annotator-agreement.ts'
import { Score } from './scores.ts'

const Name = Type.String({ minLength: 1, maxLength: 200, description: 'Name of the queue.' })
const Instructions = Type.String({
  maxLength: 20_000,
  description: 'Instructions for judging, in Markdown.',
})
const EvaluatorSlugs = Type.Array(Slug('A `human` evaluator.'), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description: 'The `human` evaluators to judge by, in this order.',
})
const AnnotatorsPerItem = Type.Integer({
  minimum: 1,
  maximum: 20,
  description: 'Number of people who judge each item.',
})

const Feed = Type.Object(
  {
    featureSlug: Absentable(Type.String({ description: 'Only traces of this feature.' })),
    share: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      description: 'Fraction of the traces to sample, by their ids.',
    }),
    scoreName: Absentable(
      Type.String({ minLength: 1, description: 'Only traces with a score of this name within the bounds.' }),
    ),
    scoreMin: Absentable(
      Type.Number({ description: 'The lowest value of the score; true is 1, false is 0.' }),
    ),
    scoreMax: Absentable(Type.Number({ description: 'The highest value of the score.' })),
  },
  {
    // Without the intended condition, every trace would match.
    additionalProperties: false,
    description: 'Future traces to add automatically. Unknown fields are rejected.',
  },
)
export type AnnotationFeed = Static<typeof Feed>

export const AnnotationProgress = NamedObject('AnnotationProgress', 'Progress of a queue.', {
  items: Type.Integer({ description: 'Number of items.' }),
  done: Type.Integer({ description: 'Items with all judgements that the queue needs.' }),
  judged: Type.Integer({ description: 'Items that you have judged.' }),
  skipped: Type.Integer({ description: 'Items that you have skipped.' }),
  left: Type.Integer({ description: 'Items left for you to judge.' }),
})
export type AnnotationProgress = Static<typeof AnnotationProgress>

export const AnnotationQueue = NamedObject('AnnotationQueue', 'Traces and logs that people judge.', {
  id: Type.String({ format: 'uuid' }),
  name: Name,
  instructions: Instructions,
  evaluatorSlugs: Type.Array(Type.String(), {
    description: 'The `human` evaluators to judge by, in this order.',
  }),
  annotatorsPerItem: AnnotatorsPerItem,
  feed: Nullable(Feed),
  progress: AnnotationProgress,
  createdAt: Instant('When it was created.'),
})
export type AnnotationQueue = Static<typeof AnnotationQueue>

const annotationStatuses = ['held', 'judged', 'skipped'] as const

export const AnnotationTurn = NamedObject('AnnotationTurn', 'The state of an item for one person.', {
  annotator: Annotator,
  status: Type.Enum([...annotationStatuses], { description: '`held` while the person is working on it.' }),
  heldUntil: Nullable(Instant('When it becomes available to others; null unless it is held.')),
  changedAt: Instant('When it entered this state.'),
})
export type AnnotationTurn = Static<typeof AnnotationTurn>

export const AnnotationItem = NamedObject('AnnotationItem', 'A trace, or a log of one, that people judge.', {
  id: Type.String({ format: 'uuid' }),
  traceId: Type.String({ format: 'uuid' }),
  logId: Nullable(Type.String({ description: 'The log; null for the whole trace.' })),
  isDone: Type.Boolean({ description: 'Whether it has all judgements that the queue needs.' }),
  turns: Type.Array(AnnotationTurn, {
    description: 'Who has judged it, who has skipped it and who is working on it.',
  }),
  addedAt: Instant('When it was added.'),
  judgedAt: Nullable(Instant('When it was last judged.')),
})
export type AnnotationItem = Static<typeof AnnotationItem>

const QueueId = Type.String({ description: 'Id of the queue.' })
const ItemId = Type.String({ description: 'Id of the item.' })

export const list = operation({
  name: 'annotationQueues.list',
  method: 'GET',
  path: '/annotation-queues',
  summary: 'Lists all annotation queues with their progress, including your own.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ queues: Type.Array(AnnotationQueue) }),
  errors: [],
})

export const get = operation({
  name: 'annotationQueues.get',
  method: 'GET',
  path: '/annotation-queues/{id}',
  summary: 'Returns one annotation queue.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: QueueId }),
  success: 200,
  output: Type.Object({ queue: AnnotationQueue }),
  errors: ['annotation_queue_not_found'],
})

export const create = operation({
  name: 'annotationQueues.create',
  method: 'POST',
  path: '/annotation-queues',
  summary: 'Creates an annotation queue.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    name: Name,
    instructions: Absentable(Instructions),
    evaluatorSlugs: EvaluatorSlugs,
    annotatorsPerItem: Absentable(AnnotatorsPerItem),
    feed: Absentable(Feed),
  }),
  success: 201,
  output: Type.Object({ queue: AnnotationQueue }),
  errors: ['invalid_request', 'evaluator_not_found'],
})

export const update = operation({
  name: 'annotationQueues.update',
  method: 'PATCH',
  path: '/annotation-queues/{id}',
  summary: 'Changes an annotation queue. Existing scores stay.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    id: QueueId,
    name: Type.Optional(Name),
    instructions: Type.Optional(Instructions),
    evaluatorSlugs: Type.Optional(EvaluatorSlugs),
    annotatorsPerItem: Type.Optional(AnnotatorsPerItem),
    feed: Absentable(Feed),
  }),
  success: 200,
  output: Type.Object({ queue: AnnotationQueue }),
  errors: ['invalid_request', 'annotation_queue_not_found', 'evaluator_not_found'],
})

/** Exported as `delete`, a reserved word. */
const deleteQueue = operation({
  name: 'annotationQueues.delete',
  method: 'DELETE',
  path: '/annotation-queues/{id}',
  summary: 'Deletes an annotation queue. Its scores stay.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id: QueueId }),
  success: 204,
  output: null,
  errors: ['annotation_queue_not_found'],
})

export { deleteQueue as delete }

/** Maximum number of items that one request adds. */
export const annotationItemsMax = 10_000

export const add = operation({
  name: 'annotationQueues.add',
  method: 'POST',
  path: '/annotation-queues/{id}/items',
  summary:
    'Adds traces and logs to a queue, by their ids or by filters. Filters add the latest matches, or a random sample. Items already in the queue are not added again. A removed item returns in its former state if the request names its id; filters skip it.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    id: QueueId,
    items: Absentable(
      Type.Array(
        Type.Object({
          traceId: Type.String({ description: 'The trace.' }),
          logId: Absentable(Type.String({ description: 'The log in it; the trace itself when absent.' })),
        }),
        { minItems: 1, maxItems: 1000, description: 'The traces or logs to add: 1 to 1000.' },
      ),
    ),
    filter: Absentable(
      FilterObject(
        { ...traceFilters, q },
        { description: 'Filters of `traces.list`, including `metadata.KEY`, that select traces.' },
      ),
    ),
    count: Absentable(
      Type.Integer({
        minimum: 1,
        maximum: annotationItemsMax,
        description: 'Maximum number of matching traces to add; 100 when absent.',
      }),
    ),
    isRandom: Absentable(
      Type.Boolean({
        description:
          'Adds a uniform random sample instead of the latest traces. The same seed selects the same sample.',
      }),
    ),
    seed: Absentable(
      Type.String({ maxLength: 200, description: 'Seed of the sample; the id of the queue when absent.' }),
    ),
  }),
  success: 201,
  output: Type.Object({
    added: Type.Integer({ description: 'Number of items added.' }),
    existing: Type.Integer({
      description: 'Number of items already in the queue. With filters, removed items count too.',
    }),
  }),
  errors: ['invalid_request', 'annotation_queue_not_found', 'trace_not_found', 'log_not_found'],
})

export const remove = operation({
  name: 'annotationQueues.remove',
  method: 'POST',
  path: '/annotation-queues/{id}/items/remove',
  summary:
    'Removes items from a queue; its feed does not add them again. Items with judgements stay, with their scores. A person working on a removed item gets an error on submitting. Unknown ids are ignored.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    id: QueueId,
    itemIds: Type.Array(ItemId, {
      minItems: 1,
      maxItems: 1000,
      description: 'The items to remove: 1 to 1000 ids.',
    }),
  }),
  success: 200,
  output: Type.Object({
    removed: Type.Integer({ description: 'Number of items removed.' }),
    held: Type.Integer({ description: 'Number of removed items that someone was working on.' }),
    judged: Type.Integer({ description: 'Number of items that stay because they have judgements.' }),
    missing: Type.Integer({ description: 'Number of items not in the queue, or no longer in it.' }),
  }),
  errors: ['invalid_request', 'annotation_queue_not_found'],
})

export const items = operation({
  name: 'annotationQueues.items',
  method: 'GET',
  path: '/annotation-queues/{id}/items',
  summary: 'Lists the items of a queue, oldest first, with the people who judged, skipped or hold each one.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    id: QueueId,
    status: Type.Optional(
      Type.Enum(['open', 'held', 'done'], {
        description:
          '`open`: items that need more judgements; `held`: items that someone is working on; `done`: items with all judgements.',
      }),
    ),
    limit: Limit('Page size; 50 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({ items: Type.Array(AnnotationItem), nextCursor: NextCursor }),
  errors: ['invalid_request', 'annotation_queue_not_found'],
})

export const next = operation({
  name: 'annotationQueues.next',
  method: 'POST',
  path: '/annotation-queues/{id}/next',
  summary:
    'Assigns you the next item for ten minutes. During that time, it is not assigned to more people than the queue needs. Calling this again returns the same item.',
  scope: 'manage',
  role: 'editor',
  audit: 'nothing lasting',
  input: Type.Object({
    id: QueueId,
    holding: Absentable(
      Type.Array(ItemId, {
        maxItems: 10,
        description:
          'Items that you hold: the response is a different item, and these stay assigned to you for ten more minutes.',
      }),
    ),
  }),
  success: 200,
  output: Type.Object({ item: Nullable(AnnotationItem), progress: AnnotationProgress }),
  errors: ['invalid_request', 'annotation_queue_not_found'],
})

export const submit = operation({
  name: 'annotationQueues.submit',
  method: 'POST',
  path: '/annotation-queues/{id}/items/{itemId}/submit',
  summary:
    'Submits your scores for an item, one for each evaluator of the queue. Submitting again replaces your earlier scores.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    id: QueueId,
    itemId: ItemId,
    scores: Type.Array(
      Type.Object({
        evaluatorSlug: Type.String({ description: 'An evaluator of the queue.' }),
        value: Score.properties.value,
        comment: Absentable(Type.String({ maxLength: 10_000, description: 'The reason.' })),
      }),
      { minItems: 1, maxItems: 20, description: 'One for each evaluator of the queue.' },
    ),
    comment: Absentable(
      Type.String({
        maxLength: 10_000,
        description: 'The reason, for scores without their own comment.',
      }),
    ),
  }),
  success: 200,
  output: Type.Object({ item: AnnotationItem, scores: Type.Array(Score), progress: AnnotationProgress }),
  errors: [
    'invalid_request',
    'annotation_queue_not_found',
    'annotation_item_not_found',
    'annotation_item_removed',
    'annotation_item_taken',
    'trace_not_found',
  ],
})

export const skip = operation({
  name: 'annotationQueues.skip',
  method: 'POST',
  path: '/annotation-queues/{id}/items/{itemId}/skip',
  summary: 'Skips an item: it is left to others, and you do not get it again.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id: QueueId, itemId: ItemId }),
  success: 200,
  output: Type.Object({ item: AnnotationItem, progress: AnnotationProgress }),
  errors: ['annotation_queue_not_found', 'annotation_item_not_found', 'annotation_item_judged'],
})

export const undo = operation({
  name: 'annotationQueues.undo',
  method: 'POST',
  path: '/annotation-queues/{id}/undo',
  summary:
    'Undoes your last submission or skip, or the one of a given item: your scores are deleted, and the item is assigned to you again.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id: QueueId, itemId: Absentable(ItemId) }),
  success: 200,
  output: Type.Object({
    item: AnnotationItem,
    scores: Type.Array(Score, { description: 'Your scores, which were deleted.' }),
    progress: AnnotationProgress,
  }),
  errors: [
    'annotation_queue_not_found',
    'annotation_item_not_found',
    'annotation_item_removed',
    'annotation_item_taken',
    'nothing_to_undo',
  ],
})

const Value = Score.properties.value

export const agreement = operation({
  name: 'annotationQueues.agreement',
  method: 'GET',
  path: '/annotation-queues/{id}/agreement',
  summary: 'Returns how well the annotators of a queue agree, for each evaluator, and their disagreements.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    id: QueueId,
    limit: Limit('Maximum number of disagreements; 50 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({
    evaluators: Type.Array(AnnotatorAgreement),
    disagreements: Type.Array(
      Type.Object({
        itemId: Type.String({ format: 'uuid' }),
        traceId: Type.String({ format: 'uuid' }),
        logId: Nullable(Type.String()),
        evaluatorSlug: Type.String(),
        judgements: Type.Array(
          Type.Object({ annotator: Annotator, value: Value, comment: Nullable(Type.String()) }),
        ),
      }),
      { description: 'Oldest first.' },
    ),
    nextCursor: NextCursor,
  }),
  errors: ['invalid_request', 'annotation_queue_not_found'],
})
