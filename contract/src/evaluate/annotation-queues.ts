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
const EvaluatorSlugs = Type.Array(Slug('An evaluator of the kind `human`.'), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description: 'What is judged: evaluators of the kind `human`, in the order of judging.',
})
const AnnotatorsPerItem = Type.Integer({
  minimum: 1,
  maximum: 20,
  description: 'How many people judge each item.',
})

const Feed = Type.Object(
  {
    featureSlug: Absentable(Type.String({ description: 'Only traces of this feature.' })),
    share: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      description: 'Fraction of the traces that is sampled, by their ids.',
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
    // Without the condition that was meant, every trace would match.
    additionalProperties: false,
    description: 'Which future traces are added automatically. An unknown name is refused.',
  },
)
export type AnnotationFeed = Static<typeof Feed>

export const AnnotationProgress = NamedObject('AnnotationProgress', 'Progress of a queue.', {
  items: Type.Integer({ description: 'All items.' }),
  done: Type.Integer({ description: 'Items with all the judgements that the queue needs.' }),
  judged: Type.Integer({ description: 'Items that you have judged.' }),
  skipped: Type.Integer({ description: 'Items that you have skipped.' }),
  left: Type.Integer({ description: 'Items that are left for you to judge.' }),
})
export type AnnotationProgress = Static<typeof AnnotationProgress>

export const AnnotationQueue = NamedObject('AnnotationQueue', 'Traces and logs that people judge.', {
  id: Type.String({ format: 'uuid' }),
  name: Name,
  instructions: Instructions,
  evaluatorSlugs: Type.Array(Type.String(), { description: 'What is judged, in the order of judging.' }),
  annotatorsPerItem: AnnotatorsPerItem,
  feed: Nullable(Feed),
  progress: AnnotationProgress,
  createdAt: Instant('When it was created.'),
})
export type AnnotationQueue = Static<typeof AnnotationQueue>

const annotationStatuses = ['held', 'judged', 'skipped'] as const

export const AnnotationTurn = NamedObject('AnnotationTurn', 'What one person has done with an item.', {
  annotator: Annotator,
  status: Type.Enum([...annotationStatuses], { description: '`held` while somebody is working on it.' }),
  heldUntil: Nullable(Instant('When it becomes available to others; null unless it is held.')),
  changedAt: Instant('When it entered this state.'),
})
export type AnnotationTurn = Static<typeof AnnotationTurn>

export const AnnotationItem = NamedObject('AnnotationItem', 'A trace, or a log of one, that people judge.', {
  id: Type.String({ format: 'uuid' }),
  traceId: Type.String({ format: 'uuid' }),
  logId: Nullable(Type.String({ description: 'The log; null for the whole trace.' })),
  isDone: Type.Boolean({ description: 'Whether it has all the judgements that the queue needs.' }),
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
  summary: 'Lists all annotation queues with their progress, and with yours.',
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

/** Exported as `delete`, which is no legal name for a constant. */
const deleteQueue = operation({
  name: 'annotationQueues.delete',
  method: 'DELETE',
  path: '/annotation-queues/{id}',
  summary: 'Deletes an annotation queue. The scores that people gave stay.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id: QueueId }),
  success: 204,
  output: null,
  errors: ['annotation_queue_not_found'],
})

export { deleteQueue as delete }

/** Most that one request adds. */
export const annotationItemsMax = 10_000

export const add = operation({
  name: 'annotationQueues.add',
  method: 'POST',
  path: '/annotation-queues/{id}/items',
  summary:
    'Adds traces and logs to a queue, by their ids or by filters. Filters add the latest matches, or a random sample. Items that the queue has are not added twice. A removed item returns, in its former state, if the request names it by its id; filters skip it.',
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
        { minItems: 1, maxItems: 1000, description: '1 to 1000 traces or logs.' },
      ),
    ),
    filter: Absentable(
      FilterObject(
        { ...traceFilters, q },
        { description: 'Traces, by the filters of `traces.list`; `metadata.KEY` too.' },
      ),
    ),
    count: Absentable(
      Type.Integer({
        minimum: 1,
        maximum: annotationItemsMax,
        description: 'How many of the matching traces; 100 when absent.',
      }),
    ),
    isRandom: Absentable(
      Type.Boolean({
        description:
          'Selects a uniform random sample instead of the latest traces. The same seed selects the same sample.',
      }),
    ),
    seed: Absentable(
      Type.String({ maxLength: 200, description: 'Seed of the sample; the id of the queue when absent.' }),
    ),
  }),
  success: 201,
  output: Type.Object({
    added: Type.Integer({ description: 'How many were added.' }),
    existing: Type.Integer({
      description: 'How many were in the queue before. With filters, removed items count too.',
    }),
  }),
  errors: ['invalid_request', 'annotation_queue_not_found', 'trace_not_found', 'log_not_found'],
})

export const remove = operation({
  name: 'annotationQueues.remove',
  method: 'POST',
  path: '/annotation-queues/{id}/items/remove',
  summary:
    'Removes items from a queue; its feed does not add them again. Items with judgements stay, with their scores. Whoever is working on a removed item learns of it on submitting. Unknown ids are ignored.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    id: QueueId,
    itemIds: Type.Array(ItemId, { minItems: 1, maxItems: 1000, description: '1 to 1000 ids of items.' }),
  }),
  success: 200,
  output: Type.Object({
    removed: Type.Integer({ description: 'How many were removed.' }),
    held: Type.Integer({ description: 'How many of those somebody was working on.' }),
    judged: Type.Integer({ description: 'How many stay, because somebody has judged them.' }),
    missing: Type.Integer({ description: 'How many were not in the queue, or no longer.' }),
  }),
  errors: ['invalid_request', 'annotation_queue_not_found'],
})

export const items = operation({
  name: 'annotationQueues.items',
  method: 'GET',
  path: '/annotation-queues/{id}/items',
  summary: 'Lists the items of a queue, oldest first, with the people who judged, skipped or hold each.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    id: QueueId,
    status: Type.Optional(
      Type.Enum(['open', 'held', 'done'], {
        description:
          '`open`: items that need more judgements; `held`: items that somebody is working on; `done`.',
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
    'Assigns you the next item for ten minutes. In that time no more people get it than the queue needs. Calling this again returns the same item.',
  scope: 'manage',
  role: 'editor',
  audit: 'nothing lasting',
  input: Type.Object({
    id: QueueId,
    holding: Absentable(
      Type.Array(ItemId, {
        maxItems: 10,
        description:
          'Items that you hold: the response is another item, and these stay yours for ten more minutes.',
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
    'Submits your scores of an item, one for each evaluator of the queue. Submitting again replaces your earlier scores.',
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
  summary: 'Skips an item: others judge it, and you do not get it again.',
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
    'Undoes your last submission or skip, or that of one item: your scores are deleted, and the item is yours again.',
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
  summary: 'Returns how far the people of a queue agree, for each evaluator, and their disagreements.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    id: QueueId,
    limit: Limit('How many disagreements; 50 by default.'),
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
