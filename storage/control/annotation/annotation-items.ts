/** Items of annotation queues and the annotators' assignments to them. */

import { AnnotationItemRemoved, NotFound } from '../errors.ts'
import { newId } from '../id.ts'
import { beforeAll, type Page, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import * as queues from './annotation-queues.ts'

/** A trace or a log for people to judge. */
export type AnnotationItem = {
  id: string
  traceId: string
  /** Undefined for the whole trace. */
  logId: string | undefined
  /** How many annotators have judged it. */
  judged: number
  addedAt: Date
  judgedAt: Date | undefined
  /** When it was removed from the queue; undefined while it is in the queue. */
  removedAt: Date | undefined
}

export type NewAnnotationItem = Pick<AnnotationItem, 'traceId' | 'logId'>

export type AnnotationStatus = 'held' | 'judged' | 'skipped'

/** The assignment of one item to one annotator. */
export type AnnotationTurn = {
  itemId: string
  annotatorId: string
  annotatorName: string
  status: AnnotationStatus
  /** When a held item becomes available to others. */
  heldUntil: Date
  changedAt: Date
}

type ItemRow = {
  id: string
  trace_id: string
  log_id: string
  judged: number
  added_at: number
  judged_at: number | null
  removed_at: number | null
}

const rowsPerStatement = 500

/**
 * Adds items that the queue does not have, in order, and returns how many it added. Removed items stay removed, or are
 * restored with `bringsBack`. Served by annotation_items_by_trace.
 */
export function addMany(
  db: WorkspaceDb,
  queueId: string,
  items: readonly NewAnnotationItem[],
  now: Date,
  { bringsBack = false } = {},
): Promise<number> {
  return db.transaction(async (tx) => {
    const { sql, workspaceId } = tx
    // Serializes writers that add the same items, so that they cannot deadlock.
    await queues.lock(tx, queueId)
    let added = 0
    // Sorted ids keep items that are added together in their order.
    const ids = items.map(() => newId())
    for (let start = 0; start < items.length; start += rowsPerStatement) {
      const places = items
        .slice(start, start + rowsPerStatement)
        .map(({ traceId, logId }): [string, string] => [traceId, logId ?? ''])
      const rows = places.map((place, index) => [
        ids[start + index]!,
        workspaceId,
        queueId,
        ...place,
        0,
        now.getTime(),
      ])
      const insertedRows = await sql<{ id: string }>`
        INSERT INTO annotation_items (id, workspace_id, queue_id, trace_id, log_id, judged, added_at)
        VALUES ${rows} ON CONFLICT DO NOTHING RETURNING id`
      added += insertedRows.length
      if (!bringsBack) continue
      const restoredRows = await sql<{ id: string }>`
        UPDATE annotation_items SET removed_at = NULL
        WHERE workspace_id = ${workspaceId} AND queue_id = ${queueId} AND removed_at IS NOT NULL
          AND (trace_id, log_id) IN (VALUES ${places}) RETURNING id`
      added += restoredRows.length
    }
    return added
  })
}

/** The result of removing items, as counts. */
export type AnnotationRemoval = {
  removed: number
  /** Removed items that an annotator held. */
  heldItems: number
  /** Items that stay, because they have been judged. */
  judged: number
}

/**
 * Removes items that nobody has judged; judged ones stay, since their scores exist. Ignores items that the queue does
 * not have. Keeps the rows, so that no feed adds the items again. By primary key.
 */
export function removeMany(
  db: WorkspaceDb,
  queueId: string,
  itemIds: readonly string[],
  now: Date,
): Promise<AnnotationRemoval> {
  return db.transaction(async (tx) => {
    const { sql, workspaceId } = tx
    // Serializes with annotators: a judgement either commits first or fails because the item was removed.
    await queues.lock(tx, queueId)
    const removedRows = await sql<{ id: string }>`
      UPDATE annotation_items SET removed_at = ${now.getTime()}
      WHERE workspace_id = ${workspaceId} AND queue_id = ${queueId} AND id IN (${itemIds})
        AND removed_at IS NULL AND judged = 0
      RETURNING id`
    const [heldCount] = await sql<{ count: number }>`
      SELECT count(DISTINCT item_id) AS count FROM annotation_assignments
      WHERE workspace_id = ${workspaceId} AND item_id IN (${removedRows.map(({ id }) => id)})
        AND status = 'held' AND held_until > ${now.getTime()}`
    const [judgedCount] = await sql<{ count: number }>`
      SELECT count(*) AS count FROM annotation_items
      WHERE workspace_id = ${workspaceId} AND queue_id = ${queueId} AND id IN (${itemIds}) AND judged > 0`
    return { removed: removedRows.length, heldItems: heldCount?.count ?? 0, judged: judgedCount?.count ?? 0 }
  })
}

/** One item, even a removed one, by primary key. */
export async function find(
  { sql, workspaceId }: WorkspaceSql,
  queueId: string,
  itemId: string,
): Promise<AnnotationItem | undefined> {
  const rows = await sql<ItemRow>`
    SELECT id, trace_id, log_id, judged, added_at, judged_at, removed_at FROM annotation_items
    WHERE workspace_id = ${workspaceId} AND queue_id = ${queueId} AND id = ${itemId}`
  return rows.map(toItem)[0]
}

/** A page of items, oldest first; served by annotation_items_by_arrival. */
export async function list(
  { sql, workspaceId }: WorkspaceDb,
  filters: {
    readonly queueId: string
    readonly status?: 'open' | 'held' | 'done' | undefined
    readonly annotatorsPerItem: number
    readonly now: Date
  },
  { limit, after = beforeAll }: PageRequest,
): Promise<Page<AnnotationItem>> {
  const status = filters.status ?? ''
  const matches = await sql<ItemRow>`
    SELECT id, trace_id, log_id, judged, added_at, judged_at, removed_at FROM annotation_items AS items
    WHERE workspace_id = ${workspaceId} AND queue_id = ${filters.queueId} AND removed_at IS NULL
      AND (added_at, id) > (${after.position}, ${after.id})
      AND (${status} <> 'open' OR judged < ${filters.annotatorsPerItem})
      AND (${status} <> 'done' OR judged >= ${filters.annotatorsPerItem})
      AND (${status} <> 'held' OR EXISTS (
        SELECT 1 FROM annotation_assignments AS turns
        WHERE turns.item_id = items.id AND turns.status = 'held' AND turns.held_until > ${filters.now.getTime()}))
    ORDER BY added_at, id LIMIT ${rowsToRead(limit)}`
  const { rows, next } = pageOf(matches, limit, (row) => ({ position: row.added_at, id: row.id }))
  return { items: rows.map(toItem), ...(next === undefined ? {} : { next }) }
}

/** Assignments of some items, without expired holds. By primary key. */
export async function turnsOf(
  { sql, workspaceId }: WorkspaceSql,
  itemIds: readonly string[],
  now: Date,
): Promise<AnnotationTurn[]> {
  const rows = await sql<{
    item_id: string
    annotator_id: string
    annotator_name: string
    status: AnnotationStatus
    held_until: number
    changed_at: number
  }>`
    SELECT item_id, annotator_id, annotator_name, status, held_until, changed_at FROM annotation_assignments
    WHERE workspace_id = ${workspaceId} AND item_id IN (${itemIds})
      AND (status <> 'held' OR held_until > ${now.getTime()})
    ORDER BY changed_at, annotator_id`
  return rows.map((row) => ({
    itemId: row.item_id,
    annotatorId: row.annotator_id,
    annotatorName: row.annotator_name,
    status: row.status,
    heldUntil: new Date(row.held_until),
    changedAt: new Date(row.changed_at),
  }))
}

/** Items with at least `least` judgements, oldest first; served by annotation_items_by_arrival. */
export async function listJudged(
  { sql, workspaceId }: WorkspaceDb,
  queueId: string,
  least: number,
): Promise<AnnotationItem[]> {
  const rows = await sql<ItemRow>`
    SELECT id, trace_id, log_id, judged, added_at, judged_at, removed_at FROM annotation_items
    WHERE workspace_id = ${workspaceId} AND queue_id = ${queueId} AND judged >= ${least} ORDER BY added_at, id`
  return rows.map(toItem)
}

/** An item of a queue, even a removed one. */
export async function getAny(tx: WorkspaceSql, queueId: string, itemId: string): Promise<AnnotationItem> {
  const item = await find(tx, queueId, itemId)
  if (item === undefined) throw new NotFound('annotationItem', itemId)
  return item
}

/** An item of a queue; rejects a removed one. */
export async function get(tx: WorkspaceSql, queueId: string, itemId: string): Promise<AnnotationItem> {
  const item = await getAny(tx, queueId, itemId)
  if (item.removedAt !== undefined) throw new AnnotationItemRemoved()
  return item
}

function toItem(row: ItemRow): AnnotationItem {
  return {
    id: row.id,
    traceId: row.trace_id,
    logId: row.log_id === '' ? undefined : row.log_id,
    judged: row.judged,
    addedAt: new Date(row.added_at),
    judgedAt: row.judged_at === null ? undefined : new Date(row.judged_at),
    removedAt: row.removed_at === null ? undefined : new Date(row.removed_at),
  }
}
