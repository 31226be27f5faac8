/**
 * Assigns items to annotators. Each change locks the queue first, so that concurrent requests are served one at a time
 * and see each other's assignments. A held item becomes available to all annotators when the hold expires.
 */

import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { type AnnotationItem, get, getAny } from './annotation-items.ts'
import { type AnnotationQueue, lock } from './annotation-queues.ts'

/** The annotator, and when the hold on an assigned item expires. */
export type Assignment = {
  readonly queueId: string
  readonly annotator: { readonly id: string; readonly name: string }
  readonly now: Date
  readonly heldUntil: Date
}

/**
 * The next item for an annotator: one already held that is not in `heldIds`; otherwise one with a free place that the
 * annotator has neither judged nor skipped. Extends all holds. Items that others have judged come first, so that items
 * are completed one after another; served by annotation_items_by_progress.
 */
export function next(
  db: WorkspaceDb,
  assignment: Assignment,
  heldIds: readonly string[],
): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const { sql, workspaceId } = tx
    const { queueId, annotator, now } = assignment
    const queue = await lock(tx, queueId)
    const heldItems = await sql<{ item_id: string }>`
      SELECT item_id FROM annotation_assignments AS turns
      WHERE workspace_id = ${workspaceId} AND queue_id = ${queueId} AND annotator_id = ${annotator.id}
        AND status = 'held' AND held_until > ${now.getTime()}
        AND EXISTS (SELECT 1 FROM annotation_items AS items WHERE items.id = turns.item_id AND items.removed_at IS NULL
          AND items.judged < ${queue.annotatorsPerItem})
      ORDER BY changed_at, item_id`
    await sql`
      UPDATE annotation_assignments SET held_until = ${assignment.heldUntil.getTime()}
      WHERE workspace_id = ${workspaceId} AND annotator_id = ${annotator.id} AND status = 'held'
        AND item_id IN (${heldItems.map(({ item_id }) => item_id)})`
    const [nextHeld] = heldItems.filter(({ item_id }) => !heldIds.includes(item_id))
    if (nextHeld !== undefined) return nextHeld.item_id
    const [item] = await sql<{ id: string }>`
      SELECT id FROM annotation_items AS items
      WHERE workspace_id = ${workspaceId} AND queue_id = ${queueId} AND judged < ${queue.annotatorsPerItem}
        AND removed_at IS NULL AND id NOT IN (${['', ...heldIds]})
        AND NOT EXISTS (
          SELECT 1 FROM annotation_assignments AS own
          WHERE own.item_id = items.id AND own.annotator_id = ${annotator.id} AND own.status <> 'held')
        AND judged + (
          SELECT count(*) FROM annotation_assignments AS others
          WHERE others.item_id = items.id AND others.annotator_id <> ${annotator.id}
            AND others.status = 'held' AND others.held_until > ${now.getTime()}) < ${queue.annotatorsPerItem}
      ORDER BY judged DESC, added_at, id LIMIT 1`
    if (item === undefined) return undefined
    await put(tx, assignment, item.id, 'held')
    return item.id
  })
}

/** Holds an item for an annotator; undefined if other annotators have every place. */
export function assign(
  db: WorkspaceDb,
  assignment: Assignment,
  itemId: string,
): Promise<AnnotationItem | undefined> {
  return db.transaction(async (tx) => {
    const queue = await lock(tx, assignment.queueId)
    const item = await get(tx, assignment.queueId, itemId)
    const ownStatus = await statusOf(tx, assignment, itemId)
    if (ownStatus === 'judged') return item
    if (await isTaken(tx, queue, assignment, itemId)) return undefined
    await put(tx, assignment, itemId, 'held')
    return item
  })
}

/**
 * Records a judgement. Restores an item that was removed from the queue after `assign` returned it, since its scores
 * exist by now.
 */
export function judge(db: WorkspaceDb, assignment: Assignment, itemId: string): Promise<void> {
  return db.transaction(async (tx) => {
    await lock(tx, assignment.queueId)
    await getAny(tx, assignment.queueId, itemId)
    await put(tx, assignment, itemId, 'judged')
    await count(tx, itemId)
  })
}

/** Skips an item, even a removed one; false if the annotator has judged it. */
export function skip(db: WorkspaceDb, assignment: Assignment, itemId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lock(tx, assignment.queueId)
    await getAny(tx, assignment.queueId, itemId)
    if ((await statusOf(tx, assignment, itemId)) === 'judged') return false
    await put(tx, assignment, itemId, 'skipped')
    return true
  })
}

/**
 * Undoes the annotator's last action, or the one on `itemId`, and holds the item again; returns the reason if it
 * cannot.
 */
export function undo(
  db: WorkspaceDb,
  assignment: Assignment,
  itemId: string | null,
): Promise<AnnotationItem | 'nothing' | 'taken'> {
  return db.transaction(async (tx) => {
    const { sql, workspaceId } = tx
    const queue = await lock(tx, assignment.queueId)
    if (itemId !== null) await get(tx, assignment.queueId, itemId)
    const [last] = await sql<{ item_id: string; status: string }>`
      SELECT item_id, status FROM annotation_assignments AS turns
      WHERE workspace_id = ${workspaceId} AND queue_id = ${assignment.queueId} AND annotator_id = ${assignment.annotator.id}
        AND status <> 'held' AND (CAST(${itemId} AS text) IS NULL OR item_id = ${itemId})
        AND EXISTS (SELECT 1 FROM annotation_items AS items WHERE items.id = turns.item_id AND items.removed_at IS NULL)
      ORDER BY changed_at DESC, item_id DESC LIMIT 1`
    if (last === undefined) return 'nothing'
    if (last.status === 'skipped' && (await isTaken(tx, queue, assignment, last.item_id))) return 'taken'
    await put(tx, assignment, last.item_id, 'held')
    await count(tx, last.item_id)
    return get(tx, assignment.queueId, last.item_id)
  })
}

/**
 * Whether other annotators have every place of an item. A holder keeps a place until all places have been judged: after
 * the number of places was reduced, the holders would otherwise block each other.
 */
async function isTaken(
  { sql, workspaceId }: WorkspaceSql,
  { annotatorsPerItem }: AnnotationQueue,
  { annotator, now }: Assignment,
  itemId: string,
): Promise<boolean> {
  const [otherCount] = await sql<{ count: number }>`
    SELECT count(*) AS count FROM annotation_assignments
    WHERE workspace_id = ${workspaceId} AND item_id = ${itemId} AND annotator_id <> ${annotator.id}
      AND (status = 'judged' OR (status = 'held' AND held_until > ${now.getTime()} AND NOT EXISTS (
        SELECT 1 FROM annotation_assignments AS own
        WHERE own.item_id = annotation_assignments.item_id AND own.annotator_id = ${annotator.id}
          AND own.status = 'held' AND own.held_until > ${now.getTime()})))`
  return (otherCount?.count ?? 0) >= annotatorsPerItem
}

async function statusOf(
  { sql, workspaceId }: WorkspaceSql,
  { annotator }: Assignment,
  itemId: string,
): Promise<string | undefined> {
  const [own] = await sql<{ status: string }>`
    SELECT status FROM annotation_assignments
    WHERE workspace_id = ${workspaceId} AND item_id = ${itemId} AND annotator_id = ${annotator.id}`
  return own?.status
}

async function put(
  { sql, workspaceId }: WorkspaceSql,
  { queueId, annotator, now, heldUntil }: Assignment,
  itemId: string,
  status: 'held' | 'judged' | 'skipped',
): Promise<void> {
  await sql`
    INSERT INTO annotation_assignments (item_id, annotator_id, workspace_id, queue_id, annotator_name, status, held_until,
      changed_at)
    VALUES (${itemId}, ${annotator.id}, ${workspaceId}, ${queueId}, ${annotator.name}, ${status},
      ${heldUntil.getTime()}, ${now.getTime()})
    ON CONFLICT (item_id, annotator_id) DO UPDATE SET status = excluded.status, held_until = excluded.held_until,
      annotator_name = excluded.annotator_name, changed_at = excluded.changed_at`
}

/** Recounts the judgements of an item, so that one recorded twice counts once, and restores the item to the queue. */
async function count({ sql, workspaceId }: WorkspaceSql, itemId: string): Promise<void> {
  const [judgements] = await sql<{ count: number; last: number | null }>`
    SELECT count(*) AS count, max(changed_at) AS last FROM annotation_assignments
    WHERE workspace_id = ${workspaceId} AND item_id = ${itemId} AND status = 'judged'`
  await sql`
    UPDATE annotation_items SET judged = ${judgements?.count ?? 0}, judged_at = ${judgements?.last ?? null},
      removed_at = NULL
    WHERE workspace_id = ${workspaceId} AND id = ${itemId}`
}
