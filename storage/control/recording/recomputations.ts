/** Recomputations of costs: requests, progress and results. */
import { newId } from '../id.ts'
import type { Sql } from '../store/sql.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import { readNumber, readTime } from '../unreadable-rows.ts'

/** The kind of the job that carries a recomputation out. */
export const recomputationJobKind = 'costs.recompute'

/** Applying may be requested before the comparison job has ended, so it has a different key. */
export const recomputationJobKey = ({ id, status }: Pick<Recomputation, 'id' | 'status'>): string =>
  status === 'applying' ? id : `${id} ${status}`

const recomputationStatuses = ['comparing', 'compared', 'applying', 'applied'] as const
export type RecomputationStatus = (typeof recomputationStatuses)[number]

export type Recomputation = {
  id: string
  workspaceId: string
  fromUs: bigint
  toUs: bigint
  listVersion: string
  status: RecomputationStatus
  traces: number
  /** JSON text. */
  differences: string
  /** JSON text. */
  progress: string
  requestedByName: string
  requestedAt: Date
  finishedAt: Date | undefined
}

export type NewRecomputation = Pick<Recomputation, 'fromUs' | 'toUs' | 'listVersion' | 'requestedByName'> & {
  readonly requestedBy: string
}

type RecomputationRow = {
  id: string
  workspace_id: string
  from_us: number | bigint
  to_us: number | bigint
  list_version: string
  status: RecomputationStatus
  traces: number
  differences: string
  progress: string
  requested_by_name: string
  requested_at: number
  finished_at: number | null
}

/** Adds a recomputation, to be compared first. */
export async function create(db: WorkspaceDb, input: NewRecomputation, now: Date): Promise<Recomputation> {
  const { sql, workspaceId } = db
  const rows = await sql<RecomputationRow>`
    INSERT INTO recomputations (id, workspace_id, from_us, to_us, list_version, status, traces, differences, progress,
      requested_by, requested_by_name, requested_at)
    VALUES (${newId()}, ${workspaceId}, ${Number(input.fromUs)}, ${Number(input.toUs)}, ${input.listVersion},
      'comparing', 0, '[]', '{}', ${input.requestedBy}, ${input.requestedByName}, ${now.getTime()})
    RETURNING id, workspace_id, from_us, to_us, list_version, status, traces, differences, progress,
      requested_by_name, requested_at, finished_at`
  return rows.map(toRecomputation)[0]!
}

/** The latest hundred; served by recomputations_by_age. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<Recomputation[]> {
  const rows = await sql<RecomputationRow>`
    SELECT id, workspace_id, from_us, to_us, list_version, status, traces, differences, progress,
      requested_by_name, requested_at, finished_at
    FROM recomputations WHERE workspace_id = ${workspaceId} ORDER BY requested_at DESC, id DESC LIMIT 100`
  return rows.map(toRecomputation)
}

/** One, by primary key. */
export async function find(
  { sql, workspaceId }: WorkspaceDb,
  id: string,
): Promise<Recomputation | undefined> {
  const rows = await sql<RecomputationRow>`
    SELECT id, workspace_id, from_us, to_us, list_version, status, traces, differences, progress,
      requested_by_name, requested_at, finished_at
    FROM recomputations WHERE workspace_id = ${workspaceId} AND id = ${id}`
  return rows.map(toRecomputation)[0]
}

/** Starts applying a compared recomputation; false if it is in another state. */
export async function startApplying({ sql, workspaceId }: WorkspaceDb, id: string): Promise<boolean> {
  const rows = await sql<{ id: string }>`
    UPDATE recomputations SET status = 'applying', finished_at = NULL
    WHERE workspace_id = ${workspaceId} AND id = ${id} AND status = 'compared' RETURNING id`
  return rows.length === 1
}

/** Progress written by the runner, across workspaces, by primary key. */
export function recomputationProgress(sql: Sql) {
  return {
    async find(id: string): Promise<Recomputation | undefined> {
      const rows = await sql<RecomputationRow>`
        SELECT id, workspace_id, from_us, to_us, list_version, status, traces, differences, progress,
          requested_by_name, requested_at, finished_at
        FROM recomputations WHERE id = ${id}`
      return rows.map(toRecomputation)[0]
    },
    /** Running recomputations, except those whose job was cancelled. */
    async running(): Promise<Pick<Recomputation, 'id' | 'workspaceId' | 'status'>[]> {
      const rows = await sql<{ id: string; workspace_id: string; status: Recomputation['status'] }>`
        SELECT id, workspace_id, status FROM recomputations WHERE status IN ('comparing', 'applying') ORDER BY id`
      const cancelled = await sql<{ job_key: string }>`
        SELECT job_key FROM jobs WHERE kind = ${recomputationJobKind} AND state = 'cancelled'`
      const cancelledKeys = new Set(cancelled.map(({ job_key }) => job_key))
      return rows
        .map(({ id, workspace_id, status }) => ({ id, workspaceId: workspace_id, status }))
        .filter((recomputation) => !cancelledKeys.has(recomputationJobKey(recomputation)))
    },
    async finishComparing(id: string, traces: number, differences: string, now: Date): Promise<void> {
      await sql`
        UPDATE recomputations SET status = 'compared', traces = ${traces}, differences = ${differences},
          finished_at = ${now.getTime()}
        WHERE id = ${id} AND status = 'comparing'`
    },
    async saveProgress(id: string, progress: string): Promise<void> {
      await sql`UPDATE recomputations SET progress = ${progress} WHERE id = ${id}`
    },
    async finishApplying(id: string, now: Date): Promise<void> {
      await sql`
        UPDATE recomputations SET status = 'applied', progress = '{}', finished_at = ${now.getTime()}
        WHERE id = ${id} AND status = 'applying'`
    },
  }
}

const toRecomputation = (row: RecomputationRow): Recomputation => ({
  id: row.id,
  workspaceId: row.workspace_id,
  fromUs: BigInt(row.from_us),
  toUs: BigInt(row.to_us),
  listVersion: row.list_version,
  status: row.status,
  traces: readNumber(row.traces, 'traces'),
  differences: row.differences,
  progress: row.progress,
  requestedByName: row.requested_by_name,
  requestedAt: readTime(row.requested_at, 'requested_at'),
  finishedAt: row.finished_at === null ? undefined : readTime(row.finished_at, 'finished_at'),
})
