/** Deletions of all workspaces, for their runner. */
import type { Database, Sql } from '../store/sql.ts'
import { type Deletion, type DeletionRow, type PlaceCounts, toDeletion } from './deletion-rows.ts'

/** The result of one step of a deletion. */
export type DeletionStep = {
  /** JSON text. */
  readonly progress: string
  /** Rows that this step deleted. */
  readonly deletedCounts: PlaceCounts
  /** What the check afterwards found. */
  readonly checks?: PlaceCounts | undefined
  /** Whether no query returns the rows any more. */
  readonly isDone?: boolean
  /** Whether nothing is left to do. */
  readonly isFinished?: boolean
}

export type SliceClaim = {
  /** JSON text: the progress with the claimed slice. */
  readonly progress: string
  readonly hasSlice: (deletion: Deletion) => boolean
}

/** The kind of the job that carries a deletion out; its key is the id of the deletion. */
export const deletionJobKind = 'deletion.run'

export type DeletionQueue = ReturnType<typeof deletionQueue>

export function deletionQueue(database: Database) {
  const { sql } = database
  return {
    /** Deletions to continue, oldest first; leaves out those whose job was cancelled. */
    running: () => listUncancelled(sql),
    find: (id: string) => find(sql, id),
    /**
     * Claims the next slice of traces for a deletion by storing its progress; undefined while another deletion of the
     * workspace has one. `hasSlice` reads the progress of the others.
     */
    claimSlice: (deletion: Deletion, claim: SliceClaim, now: Date) =>
      database.transaction((tx) => claimSlice(tx, deletion, claim, now)),
    /** A deletion of a workspace that has a slice but does not continue, since its job was cancelled. */
    findCancelledWithSlice: (workspaceId: string, hasSlice: SliceClaim['hasSlice']) =>
      findCancelledWithSlice(sql, workspaceId, hasSlice),
    /**
     * Stores a step together with the counts of its deletions, so that they count once. Rejects if another node has
     * stored a step since this deletion was read.
     */
    advance: (deletion: Deletion, step: DeletionStep, now: Date) => advance(sql, deletion, step, now),
    /** Records why the last attempt failed; undefined if it did not. */
    noteProblem: async (id: string, problem: string | undefined) =>
      void (await sql`UPDATE deletions SET problem = ${problem ?? null} WHERE id = ${id}`),
    /** Overwrites what deleted rows have left in the files of an embedded store. */
    compact: () => database.compact(),
  }
}

/** Served by deletions_running. */
async function listRunning(sql: Sql): Promise<Deletion[]> {
  const rows = await sql<DeletionRow>`
    SELECT id, workspace_id, type, selection, request_hash, status, progress, counts, expected, problem, checks,
      requested_by, requested_by_name, requested_at, changed_at, done_at
    FROM deletions WHERE status = 'running' ORDER BY requested_at, id`
  return rows.map(toDeletion)
}

async function listUncancelled(sql: Sql): Promise<Deletion[]> {
  const cancelledIds = await listCancelled(sql)
  return (await listRunning(sql)).filter(({ id }) => !cancelledIds.has(id))
}

async function findCancelledWithSlice(
  sql: Sql,
  workspaceId: string,
  hasSlice: SliceClaim['hasSlice'],
): Promise<Deletion | undefined> {
  const cancelledIds = await listCancelled(sql)
  return (await listRunning(sql)).find(
    (deletion) => deletion.workspaceId === workspaceId && cancelledIds.has(deletion.id) && hasSlice(deletion),
  )
}

/** Ids of deletions that have a cancelled job and no other. A cancelled job is kept as long as its workspace. */
async function listCancelled(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }>`
    SELECT d.id FROM deletions d
    WHERE d.status = 'running'
      AND EXISTS (SELECT 1 FROM jobs j
        WHERE j.kind = ${deletionJobKind} AND j.job_key = d.id AND j.state = 'cancelled')
      AND NOT EXISTS (SELECT 1 FROM jobs j
        WHERE j.kind = ${deletionJobKind} AND j.job_key = d.id AND j.state IN ('waiting', 'running', 'failed'))`
  return new Set(rows.map(({ id }) => id))
}

/** Served by the primary key. */
async function find(sql: Sql, id: string): Promise<Deletion | undefined> {
  const rows = await sql<DeletionRow>`
    SELECT id, workspace_id, type, selection, request_hash, status, progress, counts, expected, problem, checks,
      requested_by, requested_by_name, requested_at, changed_at, done_at
    FROM deletions WHERE id = ${id}`
  return rows.map(toDeletion)[0]
}

async function claimSlice(
  sql: Sql,
  deletion: Deletion,
  { progress, hasSlice }: SliceClaim,
  now: Date,
): Promise<Deletion | undefined> {
  // The second of two nodes waits here, and then sees the claim of the first.
  await sql`UPDATE workspaces SET revision = revision WHERE id = ${deletion.workspaceId}`
  const others = await listRunning(sql)
  const isTaken = others.some(
    (other) => other.id !== deletion.id && other.workspaceId === deletion.workspaceId && hasSlice(other),
  )
  return isTaken ? undefined : advance(sql, deletion, { progress, deletedCounts: {} }, now)
}

/** The selection of an erasure names its subject, so the last step deletes it. Another erasure may empty it earlier. */
async function advance(
  sql: Sql,
  deletion: Deletion,
  { progress, deletedCounts, checks, isDone = false, isFinished = false }: DeletionStep,
  now: Date,
): Promise<Deletion> {
  const counts = addCounts(deletion.counts, deletedCounts)
  const rows = await sql<DeletionRow>`
    UPDATE deletions SET progress = ${progress}, counts = ${JSON.stringify(counts)}, problem = NULL,
      checks = ${checks === undefined ? ((deletion.checks && JSON.stringify(deletion.checks)) ?? null) : JSON.stringify(checks)},
      status = ${isFinished ? 'done' : 'running'}, changed_at = ${now.getTime()},
      done_at = ${isDone ? now.getTime() : (deletion.doneAt?.getTime() ?? null)},
      selection = CASE WHEN type <> 'traces' AND ${isFinished ? 1 : 0} = 1 THEN NULL ELSE selection END
    WHERE id = ${deletion.id} AND progress = ${deletion.progress}
    RETURNING id, workspace_id, type, selection, request_hash, status, progress, counts, expected, problem, checks,
      requested_by, requested_by_name, requested_at, changed_at, done_at`
  const [advanced] = rows.map(toDeletion)
  if (advanced === undefined)
    throw new Error('The deletion was removed with its workspace, or another node continues it.')
  return advanced
}

export function addCounts(counts: PlaceCounts, more: PlaceCounts): PlaceCounts {
  const places = new Set([...Object.keys(counts), ...Object.keys(more)])
  return Object.fromEntries([...places].map((place) => [place, (counts[place] ?? 0) + (more[place] ?? 0)]))
}
