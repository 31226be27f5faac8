/** Queues and items as the interface shows them. */
import type { AnnotationItem, AnnotationQueue, Annotator } from '@plumbline/contract'
import { ServiceError } from '@plumbline/contract'
import type {
  AnnotationProgress,
  AnnotationItem as StoredItem,
  AnnotationQueue as StoredQueue,
  AnnotationTurn as StoredTurn,
} from '@plumbline/storage/control'
import type { Context } from '../verb.ts'
import type { Workspace } from '../workspace.ts'
import { readFeed } from './feed.ts'

type Viewing = Pick<Context, 'workspace' | 'caller' | 'now'>

/** A queue that is there. */
export async function findQueue(id: string, { annotationQueues }: Workspace): Promise<StoredQueue> {
  const queue = await annotationQueues.find(id)
  if (queue === undefined) throw new ServiceError('annotation_queue_not_found', { id })
  return queue
}

/** How far a queue is, and the caller in it. */
export const progressOf = (
  queue: StoredQueue,
  { workspace, caller }: Pick<Viewing, 'workspace' | 'caller'>,
): Promise<AnnotationProgress> => workspace.annotationQueues.progress(queue, caller.id)

export async function viewQueue(
  queue: StoredQueue,
  context: Pick<Viewing, 'workspace' | 'caller'>,
): Promise<AnnotationQueue> {
  const { id, name, instructions, evaluatorSlugs, annotatorsPerItem, feed, createdAt } = queue
  return {
    id,
    name,
    instructions,
    evaluatorSlugs,
    annotatorsPerItem,
    feed: feed === undefined ? null : readFeed(feed).feed,
    progress: await progressOf(queue, context),
    createdAt: createdAt.toISOString(),
  }
}

/** Items with who has them. */
export async function viewItems(
  items: readonly StoredItem[],
  queue: StoredQueue,
  { workspace, caller, now }: Viewing,
): Promise<AnnotationItem[]> {
  const turns = Map.groupBy(
    await workspace.annotationItems.turnsOf(
      items.map(({ id }) => id),
      now,
    ),
    ({ itemId }) => itemId,
  )
  return items.map(({ id, traceId, logId, judged, addedAt, judgedAt }) => ({
    id,
    traceId,
    logId: logId ?? null,
    isDone: judged >= queue.annotatorsPerItem,
    turns: (turns.get(id) ?? []).map((turn) => viewTurn(turn, caller.id)),
    addedAt: addedAt.toISOString(),
    judgedAt: judgedAt?.toISOString() ?? null,
  }))
}

/** One item, which is there. */
export async function viewItem(
  item: StoredItem,
  queue: StoredQueue,
  context: Viewing,
): Promise<AnnotationItem> {
  const now = (await context.workspace.annotationItems.find(queue.id, item.id)) ?? item
  const [viewed] = await viewItems([now], queue, context)
  return viewed!
}

export const annotatorOf = (id: string, name: string, callerId: string): Annotator => ({
  id,
  name,
  isYou: id === callerId,
})

const viewTurn = (turn: StoredTurn, callerId: string): AnnotationItem['turns'][number] => ({
  annotator: annotatorOf(turn.annotatorId, turn.annotatorName, callerId),
  status: turn.status,
  heldUntil: turn.status === 'held' ? turn.heldUntil.toISOString() : null,
  changedAt: turn.changedAt.toISOString(),
})
