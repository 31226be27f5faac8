/** Queues and items in the form of the API. */
import type { AnnotationItem, AnnotationQueue, Annotator } from '@plumbline/contract'
import { ServiceError } from '@plumbline/contract'
import type {
  AnnotationProgress,
  AnnotationItem as StoredItem,
  AnnotationQueue as StoredQueue,
  AnnotationTurn as StoredTurn,
} from '@plumbline/storage/control'
import type { Context } from '../../requests/verb.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readFeed } from './feed.ts'

type ViewContext = Pick<Context, 'workspace' | 'caller' | 'now'>

/** Throws `annotation_queue_not_found`. */
export async function findQueue(id: string, { annotationQueues }: Workspace): Promise<StoredQueue> {
  const queue = await annotationQueues.find(id)
  if (queue === undefined) throw new ServiceError('annotation_queue_not_found', { id })
  return queue
}

/** The progress of a queue, and of the caller in it. */
export const progressOf = (
  queue: StoredQueue,
  { workspace, caller }: Pick<ViewContext, 'workspace' | 'caller'>,
): Promise<AnnotationProgress> => workspace.annotationQueues.progress(queue, caller.id)

export const viewQueue = async (
  queue: StoredQueue,
  context: Pick<ViewContext, 'workspace' | 'caller'>,
): Promise<AnnotationQueue> => toQueueView(queue, await progressOf(queue, context))

export function toQueueView(queue: StoredQueue, progress: AnnotationProgress): AnnotationQueue {
  const { id, name, instructions, evaluatorSlugs, annotatorsPerItem, feed, createdAt } = queue
  return {
    id,
    name,
    instructions,
    evaluatorSlugs,
    annotatorsPerItem,
    feed: feed === undefined ? null : readFeed(feed).feed,
    progress,
    createdAt: createdAt.toISOString(),
  }
}

/** Items with their assignments. */
export async function viewItems(
  items: readonly StoredItem[],
  queue: StoredQueue,
  { workspace, caller, now: current }: ViewContext,
): Promise<AnnotationItem[]> {
  const assignments = Map.groupBy(
    await workspace.annotationItems.turnsOf(
      items.map(({ id }) => id),
      current,
    ),
    ({ itemId }) => itemId,
  )
  return items.map(({ id, traceId, logId, judged, addedAt, judgedAt }) => ({
    id,
    traceId,
    logId: logId ?? null,
    isDone: judged >= queue.annotatorsPerItem,
    turns: (assignments.get(id) ?? []).map((assignment) => viewAssignment(assignment, caller.id)),
    addedAt: addedAt.toISOString(),
    judgedAt: judgedAt?.toISOString() ?? null,
  }))
}

/** One item, in its current state. */
export async function viewItem(
  item: StoredItem,
  queue: StoredQueue,
  context: ViewContext,
): Promise<AnnotationItem> {
  const current = (await context.workspace.annotationItems.find(queue.id, item.id)) ?? item
  const [view] = await viewItems([current], queue, context)
  return view!
}

export const annotatorOf = (id: string, name: string, callerId: string): Annotator => ({
  id,
  name,
  isYou: id === callerId,
})

const viewAssignment = (assignment: StoredTurn, callerId: string): AnnotationItem['turns'][number] => ({
  annotator: annotatorOf(assignment.annotatorId, assignment.annotatorName, callerId),
  status: assignment.status,
  heldUntil: assignment.status === 'held' ? assignment.heldUntil.toISOString() : null,
  changedAt: assignment.changedAt.toISOString(),
})
