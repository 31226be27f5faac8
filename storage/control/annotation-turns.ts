/**
 * Who judges what. Each change locks the queue first, so of several people that ask at once one is given an item at a
 * time, and sees what the others have. What somebody holds comes back to all when the time is over.
 */
import { type AnnotationItem, get, getAny } from './annotation-items.ts'
import { type AnnotationQueue, lock } from './annotation-queues.ts'
import type { WorkspaceDb, WorkspaceSql } from './workspace.ts'

/** Who judges, and until when what is taken is held. */
export type Turn = {
  readonly queueId: string
  readonly annotator: { readonly id: string; readonly name: string }
  readonly now: Date
  readonly heldUntil: Date
}

/**
 * The next item for somebody: the one that is held already, beside those named, which are held on; else one that has
 * a place left and that this person has neither judged nor skipped. Those that others have judged come first, so that
 * items are finished one after the other; by annotation_items_by_progress.
 */
export function next(db: WorkspaceDb, turn: Turn, holding: readonly string[]): Promise<string | undefined> {
  return db.keepBooks(async (tx) => {
    const { sql, workspaceId } = tx
    const { queueId, annotator, now } = turn
    const queue = await lock(tx, queueId)
    const held = await sql<{ item_id: string }>`
      SELECT item_id FROM annotation_turns AS turns
      WHERE workspace_id = ${workspaceId} AND queue_id = ${queueId} AND annotator_id = ${annotator.id}
        AND status = 'held' AND held_until > ${now.getTime()}
        AND EXISTS (SELECT 1 FROM annotation_items AS items WHERE items.id = turns.item_id AND items.removed_at IS NULL)
      ORDER BY changed_at, item_id`
    await sql`
      UPDATE annotation_turns SET held_until = ${turn.heldUntil.getTime()}
      WHERE workspace_id = ${workspaceId} AND annotator_id = ${annotator.id} AND status = 'held'
        AND item_id IN (${held.map(({ item_id }) => item_id)})`
    const [other] = held.filter(({ item_id }) => !holding.includes(item_id))
    if (other !== undefined) return other.item_id
    const [found] = await sql<{ id: string }>`
      SELECT id FROM annotation_items AS items
      WHERE workspace_id = ${workspaceId} AND queue_id = ${queueId} AND judged < ${queue.annotatorsPerItem}
        AND removed_at IS NULL AND id NOT IN (${['', ...holding]})
        AND NOT EXISTS (
          SELECT 1 FROM annotation_turns AS own
          WHERE own.item_id = items.id AND own.annotator_id = ${annotator.id} AND own.status <> 'held')
        AND judged + (
          SELECT count(*) FROM annotation_turns AS others
          WHERE others.item_id = items.id AND others.annotator_id <> ${annotator.id}
            AND others.status = 'held' AND others.held_until > ${now.getTime()}) < ${queue.annotatorsPerItem}
      ORDER BY judged DESC, added_at, id LIMIT 1`
    if (found === undefined) return undefined
    await put(tx, turn, found.id, 'held')
    return found.id
  })
}

/** An item for somebody who is about to judge it; undefined when others have taken every place. */
export function hold(db: WorkspaceDb, turn: Turn, itemId: string): Promise<AnnotationItem | undefined> {
  return db.keepBooks(async (tx) => {
    const queue = await lock(tx, turn.queueId)
    const item = await get(tx, turn.queueId, itemId)
    const own = await statusOf(tx, turn, itemId)
    if (own === 'judged') return item
    if (await isTaken(tx, queue, turn, itemId)) return undefined
    await put(tx, turn, itemId, 'held')
    return item
  })
}

/**
 * Notes that somebody has judged an item. One that was taken out of the queue after `hold` gave it is in it again: its
 * scores are there by now.
 */
export function judge(db: WorkspaceDb, turn: Turn, itemId: string): Promise<void> {
  return db.keepBooks(async (tx) => {
    await lock(tx, turn.queueId)
    await getAny(tx, turn.queueId, itemId)
    await put(tx, turn, itemId, 'judged')
    await count(tx, itemId)
  })
}

/** Leaves an item to others, or one that was taken out of the queue where it is; false if it was judged. */
export function skip(db: WorkspaceDb, turn: Turn, itemId: string): Promise<boolean> {
  return db.keepBooks(async (tx) => {
    await lock(tx, turn.queueId)
    await getAny(tx, turn.queueId, itemId)
    if ((await statusOf(tx, turn, itemId)) === 'judged') return false
    await put(tx, turn, itemId, 'skipped')
    return true
  })
}

/** What somebody did last, or with one item, is undone: it is held again. Says why it cannot be. */
export function undo(
  db: WorkspaceDb,
  turn: Turn,
  itemId: string | null,
): Promise<AnnotationItem | 'nothing' | 'taken'> {
  return db.keepBooks(async (tx) => {
    const { sql, workspaceId } = tx
    const queue = await lock(tx, turn.queueId)
    if (itemId !== null) await get(tx, turn.queueId, itemId)
    const [last] = await sql<{ item_id: string; status: string }>`
      SELECT item_id, status FROM annotation_turns AS turns
      WHERE workspace_id = ${workspaceId} AND queue_id = ${turn.queueId} AND annotator_id = ${turn.annotator.id}
        AND status <> 'held' AND (CAST(${itemId} AS text) IS NULL OR item_id = ${itemId})
        AND EXISTS (SELECT 1 FROM annotation_items AS items WHERE items.id = turns.item_id AND items.removed_at IS NULL)
      ORDER BY changed_at DESC, item_id DESC LIMIT 1`
    if (last === undefined) return 'nothing'
    if (last.status === 'skipped' && (await isTaken(tx, queue, turn, last.item_id))) return 'taken'
    await put(tx, turn, last.item_id, 'held')
    await count(tx, last.item_id)
    return get(tx, turn.queueId, last.item_id)
  })
}

/** Whether as many others as the queue wants have judged an item or hold it. */
async function isTaken(
  { sql, workspaceId }: WorkspaceSql,
  { annotatorsPerItem }: AnnotationQueue,
  { annotator, now }: Turn,
  itemId: string,
): Promise<boolean> {
  const [others] = await sql<{ count: number }>`
    SELECT count(*) AS count FROM annotation_turns
    WHERE workspace_id = ${workspaceId} AND item_id = ${itemId} AND annotator_id <> ${annotator.id}
      AND (status = 'judged' OR (status = 'held' AND held_until > ${now.getTime()}))`
  return (others?.count ?? 0) >= annotatorsPerItem
}

async function statusOf(
  { sql, workspaceId }: WorkspaceSql,
  { annotator }: Turn,
  itemId: string,
): Promise<string | undefined> {
  const [own] = await sql<{ status: string }>`
    SELECT status FROM annotation_turns
    WHERE workspace_id = ${workspaceId} AND item_id = ${itemId} AND annotator_id = ${annotator.id}`
  return own?.status
}

async function put(
  { sql, workspaceId }: WorkspaceSql,
  { queueId, annotator, now, heldUntil }: Turn,
  itemId: string,
  status: 'held' | 'judged' | 'skipped',
): Promise<void> {
  await sql`
    INSERT INTO annotation_turns (item_id, annotator_id, workspace_id, queue_id, annotator_name, status, held_until,
      changed_at)
    VALUES (${itemId}, ${annotator.id}, ${workspaceId}, ${queueId}, ${annotator.name}, ${status},
      ${heldUntil.getTime()}, ${now.getTime()})
    ON CONFLICT (item_id, annotator_id) DO UPDATE SET status = excluded.status, held_until = excluded.held_until,
      annotator_name = excluded.annotator_name, changed_at = excluded.changed_at`
}

/** How many have judged an item, which is in the queue then, counted anew: what is noted twice counts once. */
async function count({ sql, workspaceId }: WorkspaceSql, itemId: string): Promise<void> {
  const [judged] = await sql<{ count: number; last: number | null }>`
    SELECT count(*) AS count, max(changed_at) AS last FROM annotation_turns
    WHERE workspace_id = ${workspaceId} AND item_id = ${itemId} AND status = 'judged'`
  await sql`
    UPDATE annotation_items SET judged = ${judged?.count ?? 0}, judged_at = ${judged?.last ?? null},
      removed_at = NULL
    WHERE workspace_id = ${workspaceId} AND id = ${itemId}`
}
