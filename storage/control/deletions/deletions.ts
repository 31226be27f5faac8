/** Deletions of one workspace, for requesting and reading them. */
import { newId } from '../id.ts'
import { type Page, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import { readable } from '../unreadable-rows.ts'
import { deletionJobKind } from './deletion-queue.ts'
import { type Deletion, type DeletionRow, type DeletionType, toDeletion } from './deletion-rows.ts'

export type NewDeletion = {
  readonly type: DeletionType
  /** JSON text. */
  readonly selection: string
  readonly requestHash: string
  readonly expected: number
  readonly requestedBy: string
  readonly requestedByName: string
}

export type RequestedDeletion = Deletion & {
  /** Whether its job was cancelled: the deletion stops until the job is retried. */
  readonly isCancelled: boolean
}

/** Requests a deletion; a runner carries it out. */
export async function create(db: WorkspaceDb, input: NewDeletion, now: Date): Promise<Deletion> {
  const { sql, workspaceId } = db
  const rows = await sql<DeletionRow>`
    INSERT INTO deletions (id, workspace_id, type, selection, request_hash, status, progress, counts, expected,
      requested_by, requested_by_name, requested_at, changed_at)
    VALUES (${newId()}, ${workspaceId}, ${input.type}, ${input.selection}, ${input.requestHash}, 'running', '{}', '{}',
      ${input.expected}, ${input.requestedBy}, ${input.requestedByName}, ${now.getTime()}, ${now.getTime()})
    RETURNING id, workspace_id, type, selection, request_hash, status, progress, counts, expected, problem, checks,
      requested_by, requested_by_name, requested_at, changed_at, done_at`
  return rows.map(toDeletion)[0]!
}

/** One deletion, by primary key. */
export async function find(
  { sql, workspaceId }: WorkspaceDb,
  id: string,
): Promise<RequestedDeletion | undefined> {
  const rows = await sql<DeletionRow>`
    SELECT id, workspace_id, type, selection, request_hash, status, progress, counts, expected, problem, checks,
      requested_by, requested_by_name, requested_at, changed_at, done_at
    FROM deletions WHERE workspace_id = ${workspaceId} AND id = ${id}`
  return (await withCancellation({ sql, workspaceId }, readable('deletions', rows, toDeletion)))[0]
}

/** Only a running deletion can have been cancelled. */
async function withCancellation(
  db: Pick<WorkspaceDb, 'sql' | 'workspaceId'>,
  deletions: readonly Deletion[],
): Promise<RequestedDeletion[]> {
  const isAnyRunning = deletions.some(({ status }) => status === 'running')
  const cancelledIds = new Set(isAnyRunning ? await listCancelled(db) : [])
  return deletions.map((deletion) => ({ ...deletion, isCancelled: cancelledIds.has(deletion.id) }))
}

/** Ids of deletions that have a cancelled job and no other; served by jobs_of_workspace. */
async function listCancelled({
  sql,
  workspaceId,
}: Pick<WorkspaceDb, 'sql' | 'workspaceId'>): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    SELECT d.id FROM deletions d
    WHERE d.workspace_id = ${workspaceId} AND d.status = 'running'
      AND EXISTS (SELECT 1 FROM jobs j
        WHERE j.workspace_id = d.workspace_id AND j.kind = ${deletionJobKind} AND j.job_key = d.id AND j.state = 'cancelled')
      AND NOT EXISTS (SELECT 1 FROM jobs j
        WHERE j.workspace_id = d.workspace_id AND j.kind = ${deletionJobKind} AND j.job_key = d.id AND j.state IN ('waiting', 'running', 'failed'))`
  return rows.map(({ id }) => id)
}

const endOfTime = 8.64e15

/** Deletions of some types, latest first; served by deletions_by_age. */
export async function list(
  { sql, workspaceId }: WorkspaceDb,
  types: readonly DeletionType[],
  { limit, after = { position: endOfTime, id: '' } }: PageRequest,
): Promise<Page<RequestedDeletion>> {
  const matches = await sql<DeletionRow>`
    SELECT id, workspace_id, type, selection, request_hash, status, progress, counts, expected, problem, checks,
      requested_by, requested_by_name, requested_at, changed_at, done_at
    FROM deletions
    WHERE workspace_id = ${workspaceId} AND type IN (${types}) AND (requested_at, id) < (${after.position}, ${after.id})
    ORDER BY requested_at DESC, id DESC LIMIT ${rowsToRead(limit)}`
  const { rows, ...page } = pageOf(matches, limit, (row) => ({ position: row.requested_at, id: row.id }))
  return {
    items: await withCancellation({ sql, workspaceId }, readable('deletions', rows, toDeletion)),
    ...page,
  }
}
