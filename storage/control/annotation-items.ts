/** Items of annotation queues, and what each person has to do with them. */
import * as queues from './annotation-queues.ts'
import { AnnotationItemRemoved, NotFound } from './errors.ts'
import { newId } from './id.ts'
import { beforeAll, type Page, type PageRequest, pageOf, rowsToRead } from './page.ts'
import type { WorkspaceDb, WorkspaceSql } from './workspace.ts'

/** A trace or a log that people judge. */
export type AnnotationItem = {
  id: string
  traceId: string
  /** Undefined for the whole trace. */
  logId: string | undefined
  /** How many have judged it. */
  judged: number
  addedAt: Date
  judgedAt: Date | undefined
  /** When it was taken out of the queue; undefined while it is in it. */
  removedAt: Date | undefined
}

export type NewAnnotationItem = Pick<AnnotationItem, 'traceId' | 'logId'>

export type AnnotationStatus = 'held' | 'judged' | 'skipped'

/** What one person has to do with one item. */
export type AnnotationTurn = {
  itemId: string
  annotatorId: string
  annotatorName: string
  status: AnnotationStatus
  /** When somebody else may have what is held. */
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
 * Adds what is not there yet, in the order given; gives how many that were. What was taken out of the queue stays out,
 * or is there again as it was, with `bringsBack`. By annotation_items_by_trace.
 */
export function addMany(
  db: WorkspaceDb,
  queueId: string,
  items: readonly NewAnnotationItem[],
  now: Date,
  { bringsBack = false } = {},
): Promise<number> {
  return db.keepBooks(async (tx) => {
    const { sql, workspaceId } = tx
    // Two who add the same take turns, so that they never wait for each other's rows.
    await queues.lock(tx, queueId)
    let added = 0
    // Those that are added at once come in their order.
    const ids = items.map(() => newId()).sort()
    for (let start = 0; start < items.length; start += rowsPerStatement) {
      const places = items
        .slice(start, start + rowsPerStatement)
        .map(({ traceId, logId }): [string, string] => [traceId, logId ?? ''])
      const rows = places.map((place, at) => [
        ids[start + at]!,
        workspaceId,
        queueId,
        ...place,
        0,
        now.getTime(),
      ])
      const made = await sql<{ id: string }>`
        INSERT INTO annotation_items (id, workspace_id, queue_id, trace_id, log_id, judged, added_at)
        VALUES ${rows} ON CONFLICT DO NOTHING RETURNING id`
      added += made.length
      if (!bringsBack) continue
      const back = await sql<{ id: string }>`
        UPDATE annotation_items SET removed_at = NULL
        WHERE workspace_id = ${workspaceId} AND queue_id = ${queueId} AND removed_at IS NOT NULL
          AND (trace_id, log_id) IN (VALUES ${places}) RETURNING id`
      added += back.length
    }
    return added
  })
}

/** What taking items out of a queue came to, in numbers of them. */
export type AnnotationRemoval = {
  removed: number
  /** Those removed that somebody was at. */
  held: number
  /** Those that stay, because somebody has judged them. */
  judged: number
}

/**
 * Takes items out of a queue, but those that somebody has judged: their scores are there. What the queue does not have,
 * or no more, is passed over. The rows stay, so that no feed adds them anew. By primary key.
 */
export function removeMany(
  db: WorkspaceDb,
  queueId: string,
  itemIds: readonly string[],
  now: Date,
): Promise<AnnotationRemoval> {
  return db.keepBooks(async (tx) => {
    const { sql, workspaceId } = tx
    // Whoever judges one of them takes turns with this, and is either done or told that it is gone.
    await queues.lock(tx, queueId)
    const removed = await sql<{ id: string }>`
      UPDATE annotation_items SET removed_at = ${now.getTime()}
      WHERE workspace_id = ${workspaceId} AND queue_id = ${queueId} AND id IN (${itemIds})
        AND removed_at IS NULL AND judged = 0
      RETURNING id`
    const [held] = await sql<{ count: number }>`
      SELECT count(DISTINCT item_id) AS count FROM annotation_turns
      WHERE workspace_id = ${workspaceId} AND item_id IN (${removed.map(({ id }) => id)})
        AND status = 'held' AND held_until > ${now.getTime()}`
    const [judged] = await sql<{ count: number }>`
      SELECT count(*) AS count FROM annotation_items
      WHERE workspace_id = ${workspaceId} AND queue_id = ${queueId} AND id IN (${itemIds}) AND judged > 0`
    return { removed: removed.length, held: held?.count ?? 0, judged: judged?.count ?? 0 }
  })
}

/** One item, one that was taken out too, by primary key. */
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

/** A page of items, the first added first; by annotation_items_by_arrival. */
export async function list(
  { sql, workspaceId }: WorkspaceDb,
  of: {
    readonly queueId: string
    readonly status?: 'open' | 'held' | 'done' | undefined
    readonly annotatorsPerItem: number
    readonly now: Date
  },
  { limit, after = beforeAll }: PageRequest,
): Promise<Page<AnnotationItem>> {
  const status = of.status ?? ''
  const found = await sql<ItemRow>`
    SELECT id, trace_id, log_id, judged, added_at, judged_at, removed_at FROM annotation_items AS items
    WHERE workspace_id = ${workspaceId} AND queue_id = ${of.queueId} AND removed_at IS NULL
      AND (added_at, id) > (${after.position}, ${after.id})
      AND (${status} <> 'open' OR judged < ${of.annotatorsPerItem})
      AND (${status} <> 'done' OR judged >= ${of.annotatorsPerItem})
      AND (${status} <> 'held' OR EXISTS (
        SELECT 1 FROM annotation_turns AS turns
        WHERE turns.item_id = items.id AND turns.status = 'held' AND turns.held_until > ${of.now.getTime()}))
    ORDER BY added_at, id LIMIT ${rowsToRead(limit)}`
  const { rows, next } = pageOf(found, limit, (row) => ({ position: row.added_at, id: row.id }))
  return { items: rows.map(toItem), ...(next === undefined ? {} : { next }) }
}

/** What people have to do with some items; what nobody holds any more is left out. By primary key. */
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
    SELECT item_id, annotator_id, annotator_name, status, held_until, changed_at FROM annotation_turns
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

/** Items that have been judged, the first added first; by annotation_items_by_arrival. */
export async function judged(
  { sql, workspaceId }: WorkspaceDb,
  queueId: string,
  least: number,
): Promise<AnnotationItem[]> {
  const rows = await sql<ItemRow>`
    SELECT id, trace_id, log_id, judged, added_at, judged_at, removed_at FROM annotation_items
    WHERE workspace_id = ${workspaceId} AND queue_id = ${queueId} AND judged >= ${least} ORDER BY added_at, id`
  return rows.map(toItem)
}

/** An item that a queue has, or had. */
export async function getAny(tx: WorkspaceSql, queueId: string, itemId: string): Promise<AnnotationItem> {
  const found = await find(tx, queueId, itemId)
  if (found === undefined) throw new NotFound('annotationItem', itemId)
  return found
}

/** An item that a queue has; one that was taken out of it is refused. */
export async function get(tx: WorkspaceSql, queueId: string, itemId: string): Promise<AnnotationItem> {
  const found = await getAny(tx, queueId, itemId)
  if (found.removedAt !== undefined) throw new AnnotationItemRemoved()
  return found
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
