/**
 * Lists and counts of jobs, and manual actions on them. Each function covers the jobs of one workspace, or of the whole
 * installation for '', which is no workspace's id.
 */

import type { JobState } from '@plumbline/contract'
import { afterAll, type Page, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { Sql } from '../store/sql.ts'
import { type Job, type JobRow, toJob } from './job-rows.ts'

export type JobFilters = PageRequest & {
  readonly kind?: string
  readonly state?: JobState
}

/** How many jobs of a kind are in a state. */
export type JobCount = {
  readonly kind: string
  readonly state: JobState
  readonly count: number
  /** The earliest due time. */
  readonly dueAt: Date
}

/** Newest first, by the indexes of age. */
export async function listJobs(
  sql: Sql,
  workspaceId: string,
  { kind = '', state: inState, limit, after = afterAll }: JobFilters,
): Promise<Page<Job>> {
  const state = inState ?? ''
  const jobRows = await sql<JobRow>`
    SELECT id, workspace_id, kind, job_key, concurrency_group, payload, state, due_at, attempts, attempts_max,
      lease_owner, lease_expires_at, last_error, progress, result, created_at, finished_at
    FROM jobs
    WHERE (created_at < ${after.position} OR (created_at = ${after.position} AND id < ${after.id}))
      AND (${workspaceId} = '' OR workspace_id = ${workspaceId})
      AND (${kind} = '' OR kind = ${kind}) AND (${state} = '' OR state = ${state})
    ORDER BY created_at DESC, id DESC LIMIT ${rowsToRead(limit)}`
  const { rows, next } = pageOf(jobRows, limit, (row) => ({ position: row.created_at, id: row.id }))
  return { items: rows.map(toJob), ...(next === undefined ? {} : { next }) }
}

/** Served by the primary key. */
export async function findJob(sql: Sql, workspaceId: string, id: string): Promise<Job | undefined> {
  const [row] = await sql<JobRow>`
    SELECT id, workspace_id, kind, job_key, concurrency_group, payload, state, due_at, attempts, attempts_max,
      lease_owner, lease_expires_at, last_error, progress, result, created_at, finished_at
    FROM jobs WHERE id = ${id} AND (${workspaceId} = '' OR workspace_id = ${workspaceId})`
  return row && toJob(row)
}

export async function countJobs(sql: Sql, workspaceId: string): Promise<JobCount[]> {
  const rows = await sql<{ kind: string; state: JobState; count: number; due_at: number }>`
    SELECT kind, state, count(*) AS count, min(due_at) AS due_at FROM jobs
    WHERE ${workspaceId} = '' OR workspace_id = ${workspaceId}
    GROUP BY kind, state ORDER BY kind, state`
  return rows.map(({ kind, state, count, due_at }) => ({ kind, state, count, dueAt: new Date(due_at) }))
}

/** Queues a dead letter or a cancelled job again with its attempts reset; false in any other state. */
export async function retryJob(sql: Sql, workspaceId: string, id: string, now: Date): Promise<boolean> {
  // An unfinished job may meanwhile have the key of a cancelled one.
  const rows = await sql`
    UPDATE jobs SET state = 'waiting', due_at = ${now.getTime()}, attempts = 0, finished_at = NULL
    WHERE id = ${id} AND (${workspaceId} = '' OR workspace_id = ${workspaceId})
      AND state IN ('failed', 'cancelled') AND NOT EXISTS (
      SELECT 1 FROM jobs other
      WHERE other.kind = jobs.kind AND other.job_key = jobs.job_key AND other.id <> jobs.id
        AND other.state IN ('waiting', 'running', 'failed'))
    RETURNING id`
  return rows.length > 0
}

/**
 * Cancels a job that has not ended; false if it has. The node that runs it notices when it renews its lease, and the
 * result of its handler is ignored.
 */
export async function cancelJob(sql: Sql, workspaceId: string, id: string, now: Date): Promise<boolean> {
  const rows = await sql`
    UPDATE jobs SET state = 'cancelled', finished_at = ${now.getTime()}, lease_owner = '', lease_expires_at = NULL
    WHERE id = ${id} AND (${workspaceId} = '' OR workspace_id = ${workspaceId})
      AND state IN ('waiting', 'running', 'failed') RETURNING id`
  return rows.length > 0
}
