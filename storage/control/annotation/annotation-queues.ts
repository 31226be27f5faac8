import { NotFound } from '../errors.ts'
import { newId } from '../id.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { isObject, readable, readJson, readTime } from '../unreadable-rows.ts'

/** A queue of traces and logs for people to judge. */
export type AnnotationQueue = {
  id: string
  name: string
  /** Markdown. */
  instructions: string
  /** In the order of judging. */
  evaluatorSlugs: string[]
  annotatorsPerItem: number
  /** JSON text of the feed that adds items automatically. */
  feed: string | undefined
  createdAt: Date
}

export type NewAnnotationQueue = Omit<AnnotationQueue, 'id' | 'createdAt'>

/** The progress of a queue and of one annotator in it. */
export type AnnotationProgress = {
  items: number
  done: number
  judged: number
  skipped: number
  left: number
}

type QueueRow = {
  id: string
  name: string
  instructions: string
  evaluator_slugs: string
  annotators_per_item: number
  feed: string | null
  created_at: number
}

export function create(db: WorkspaceDb, input: NewAnnotationQueue, now: Date): Promise<AnnotationQueue> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const rows = await sql<QueueRow>`
      INSERT INTO annotation_queues (id, workspace_id, name, instructions, evaluator_slugs, annotators_per_item, feed,
        fed_until, created_at)
      VALUES (${newId()}, ${workspaceId}, ${input.name}, ${input.instructions},
        ${JSON.stringify(input.evaluatorSlugs)}, ${input.annotatorsPerItem}, ${input.feed ?? null},
        ${now.getTime()}, ${now.getTime()})
      RETURNING id, name, instructions, evaluator_slugs, annotators_per_item, feed, created_at`
    return readable('annotation_queues', rows, toQueue)[0]!
  })
}

/** Every queue, the oldest first; served by annotation_queues_by_workspace. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<AnnotationQueue[]> {
  const rows = await sql<QueueRow>`
    SELECT id, name, instructions, evaluator_slugs, annotators_per_item, feed, created_at FROM annotation_queues
    WHERE workspace_id = ${workspaceId} ORDER BY created_at, id`
  return readable('annotation_queues', rows, toQueue)
}

/** One queue, by primary key. */
export async function find(
  { sql, workspaceId }: WorkspaceSql,
  id: string,
): Promise<AnnotationQueue | undefined> {
  const rows = await sql<QueueRow>`
    SELECT id, name, instructions, evaluator_slugs, annotators_per_item, feed, created_at FROM annotation_queues
    WHERE workspace_id = ${workspaceId} AND id = ${id}`
  return readable('annotation_queues', rows, toQueue)[0]
}

export type AnnotationQueueChange = Partial<Omit<NewAnnotationQueue, 'feed'>> & {
  /** The new feed, or a function of the queue's feed within the transaction. */
  readonly feed?: string | ((feed: string | undefined) => string) | null | undefined
}

/** Changes a queue: undefined leaves a field unchanged, null removes the feed. A new feed starts now. */
export function update(
  db: WorkspaceDb,
  id: string,
  change: AnnotationQueueChange,
  now: Date,
): Promise<AnnotationQueue> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const existing = await find(tx, id)
    if (existing === undefined) throw new NotFound('annotationQueue', id)
    const newFeed = typeof change.feed === 'function' ? change.feed(existing.feed) : change.feed
    const feed = newFeed === undefined ? existing.feed : (newFeed ?? undefined)
    const after = {
      ...existing,
      name: change.name ?? existing.name,
      instructions: change.instructions ?? existing.instructions,
      evaluatorSlugs: change.evaluatorSlugs ?? existing.evaluatorSlugs,
      annotatorsPerItem: change.annotatorsPerItem ?? existing.annotatorsPerItem,
      feed,
    }
    const isOther = feed !== existing.feed ? 1 : 0
    await sql`
      UPDATE annotation_queues SET name = ${after.name}, instructions = ${after.instructions},
        evaluator_slugs = ${JSON.stringify(after.evaluatorSlugs)}, annotators_per_item = ${after.annotatorsPerItem},
        feed = ${feed ?? null}, fed_until = CASE WHEN ${isOther} = 1 THEN ${now.getTime()} ELSE fed_until END
      WHERE workspace_id = ${workspaceId} AND id = ${id}`
    return after
  })
}

/** Deletes a queue with its items; scores are kept in the trace store. */
export function remove(db: WorkspaceDb, id: string): Promise<void> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    await lock(tx, id)
    await sql`DELETE FROM annotation_assignments WHERE workspace_id = ${workspaceId} AND queue_id = ${id}`
    await sql`DELETE FROM annotation_items WHERE workspace_id = ${workspaceId} AND queue_id = ${id}`
    await sql`DELETE FROM annotation_queues WHERE workspace_id = ${workspaceId} AND id = ${id}`
  })
}

/**
 * Locks a queue, so that its transactions run one after another: the first statement of every transaction that
 * assigns items.
 */
export async function lock({ sql, workspaceId }: WorkspaceSql, id: string): Promise<AnnotationQueue> {
  const rows = await sql<QueueRow>`
    UPDATE annotation_queues SET name = name WHERE workspace_id = ${workspaceId} AND id = ${id}
    RETURNING id, name, instructions, evaluator_slugs, annotators_per_item, feed, created_at`
  const [queue] = readable('annotation_queues', rows, toQueue)
  if (queue === undefined) throw new NotFound('annotationQueue', id)
  return queue
}

/** Served by annotation_items_by_progress and annotation_assignments_by_annotator. */
export async function progress(
  { sql, workspaceId }: WorkspaceSql,
  { id, annotatorsPerItem }: AnnotationQueue,
  annotatorId: string,
): Promise<AnnotationProgress> {
  const [all] = await sql<{ items: number; done: number }>`
    SELECT count(*) AS items, count(CASE WHEN judged >= ${annotatorsPerItem} THEN 1 END) AS done
    FROM annotation_items WHERE workspace_id = ${workspaceId} AND queue_id = ${id} AND removed_at IS NULL`
  const [ownCounts] = await sql<{ judged: number; skipped: number; open: number }>`
    SELECT count(CASE WHEN turns.status = 'judged' THEN 1 END) AS judged,
      count(CASE WHEN turns.status = 'skipped' THEN 1 END) AS skipped,
      count(CASE WHEN items.judged < ${annotatorsPerItem} THEN 1 END) AS open
    FROM annotation_assignments AS turns JOIN annotation_items AS items ON items.id = turns.item_id
    WHERE turns.workspace_id = ${workspaceId} AND turns.queue_id = ${id} AND turns.annotator_id = ${annotatorId}
      AND turns.status IN ('judged', 'skipped') AND items.removed_at IS NULL`
  const { items = 0, done = 0 } = all ?? {}
  return {
    items,
    done,
    judged: ownCounts?.judged ?? 0,
    skipped: ownCounts?.skipped ?? 0,
    left: items - done - (ownCounts?.open ?? 0),
  }
}

/**
 * The progress of each queue with items, for a list, in two statements however many queues there are. Served by
 * annotation_items_by_arrival and annotation_assignments_by_annotator.
 */
export async function progressOfAll(
  { sql, workspaceId }: WorkspaceDb,
  annotatorId: string,
): Promise<ReadonlyMap<string, AnnotationProgress>> {
  const counts = await sql<{ queue_id: string; items: number; done: number }>`
    SELECT items.queue_id, count(*) AS items,
      count(CASE WHEN items.judged >= queues.annotators_per_item THEN 1 END) AS done
    FROM annotation_items AS items JOIN annotation_queues AS queues ON queues.id = items.queue_id
    WHERE items.workspace_id = ${workspaceId} AND items.removed_at IS NULL
    GROUP BY items.queue_id`
  const ownCounts = await sql<{ queue_id: string; judged: number; skipped: number; open: number }>`
    SELECT turns.queue_id, count(CASE WHEN turns.status = 'judged' THEN 1 END) AS judged,
      count(CASE WHEN turns.status = 'skipped' THEN 1 END) AS skipped,
      count(CASE WHEN items.judged < queues.annotators_per_item THEN 1 END) AS open
    FROM annotation_assignments AS turns JOIN annotation_items AS items ON items.id = turns.item_id
      JOIN annotation_queues AS queues ON queues.id = turns.queue_id
    WHERE turns.workspace_id = ${workspaceId} AND turns.annotator_id = ${annotatorId}
      AND turns.status IN ('judged', 'skipped') AND items.removed_at IS NULL
    GROUP BY turns.queue_id`
  const ownByQueue = new Map(ownCounts.map((own) => [own.queue_id, own]))
  return new Map(
    counts.map(({ queue_id, items, done }) => {
      const { judged = 0, skipped = 0, open = 0 } = ownByQueue.get(queue_id) ?? {}
      return [queue_id, { items, done, judged, skipped, left: items - done - open }]
    }),
  )
}

/** The queues with a feed, and how far each feed has read. Served by annotation_queues_by_workspace. */
export async function listFed({
  sql,
  workspaceId,
}: WorkspaceDb): Promise<{ queue: AnnotationQueue; fedUntil: Date }[]> {
  const rows = await sql<QueueRow & { fed_until: number }>`
    SELECT id, name, instructions, evaluator_slugs, annotators_per_item, feed, created_at, fed_until
    FROM annotation_queues WHERE workspace_id = ${workspaceId} AND feed IS NOT NULL ORDER BY created_at, id`
  return readable('annotation_queues', rows, (row) => ({
    queue: toQueue(row),
    fedUntil: readTime(row.fed_until, 'fed_until'),
  }))
}

/** Records how far a feed has read; ignores a queue whose feed was replaced meanwhile. */
export async function setFedUntil(
  { sql, workspaceId }: WorkspaceDb,
  { queue, fedUntil }: { queue: AnnotationQueue; fedUntil: Date },
): Promise<void> {
  await sql`
    UPDATE annotation_queues SET fed_until = ${fedUntil.getTime()}
    WHERE workspace_id = ${workspaceId} AND id = ${queue.id} AND feed = ${queue.feed ?? null}`
}

const isFeed = (value: unknown): boolean =>
  isObject(value) && isObject(value.feed) && !Number.isNaN(Date.parse(String(value.since)))

function toQueue(row: QueueRow): AnnotationQueue {
  return {
    id: row.id,
    name: row.name,
    instructions: row.instructions,
    // Safe: this file wrote the list.
    evaluatorSlugs: JSON.parse(readJson(row.evaluator_slugs, 'evaluator_slugs', Array.isArray)) as string[],
    annotatorsPerItem: row.annotators_per_item,
    feed: row.feed === null ? undefined : readJson(row.feed, 'feed', isFeed),
    createdAt: readTime(row.created_at, 'created_at'),
  }
}
