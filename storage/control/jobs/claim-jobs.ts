import type { Database, Sql } from '../store/sql.ts'
import { type Job, type JobRow, toJob } from './job-rows.ts'

export type JobClaim = {
  readonly kind: string
  readonly leaseOwner: string
  readonly leaseExpiresAt: Date
  readonly limit: number
  /** Groups to skip, because they are busy or their circuit breaker is open. */
  readonly closedGroups: readonly string[]
  readonly now: Date
}

/**
 * Claims due jobs of a kind, the longest overdue first, by the index of due jobs. A claim is an attempt, so that a job
 * that crashes its node becomes a dead letter too.
 */
export async function claimJobs(database: Database, sql: Sql, claim: JobClaim): Promise<Job[]> {
  const ids = (await findDue(database, sql, claim)).map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = await sql<JobRow>`
    UPDATE jobs SET state = 'running', attempts = attempts + 1, lease_owner = ${claim.leaseOwner},
      lease_expires_at = ${claim.leaseExpiresAt.getTime()}
    WHERE id IN (${ids})
    RETURNING id, workspace_id, kind, job_key, concurrency_group, payload, state, due_at, attempts, attempts_max,
      lease_owner, lease_expires_at, last_error, progress, result, created_at, finished_at`
  return rows.map(toJob).toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
}

/** On PostgreSQL nodes claim concurrently; on SQLite one transaction writes at a time. */
function findDue(
  { engine }: Database,
  sql: Sql,
  { kind, limit, closedGroups, now }: JobClaim,
): Promise<{ id: string }[]> {
  // An empty list becomes NULL, and NOT IN (NULL) matches nothing. No group has this name.
  const closed = ['\n', ...closedGroups]
  return engine === 'PostgreSQL'
    ? sql<{ id: string }>`
        SELECT j.id FROM jobs j
        WHERE j.state = 'waiting' AND j.kind = ${kind} AND j.due_at <= ${now.getTime()}
          AND j.concurrency_group NOT IN (${closed})
          AND (j.sequence IS NULL OR NOT EXISTS (
            SELECT 1 FROM jobs e
            WHERE e.sequence = j.sequence AND e.state IN ('waiting', 'running') AND e.position < j.position))
        ORDER BY j.due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`
    : sql<{ id: string }>`
        SELECT j.id FROM jobs j
        WHERE j.state = 'waiting' AND j.kind = ${kind} AND j.due_at <= ${now.getTime()}
          AND j.concurrency_group NOT IN (${closed})
          AND (j.sequence IS NULL OR NOT EXISTS (
            SELECT 1 FROM jobs e
            WHERE e.sequence = j.sequence AND e.state IN ('waiting', 'running') AND e.position < j.position))
        ORDER BY j.due_at LIMIT ${limit}`
}
