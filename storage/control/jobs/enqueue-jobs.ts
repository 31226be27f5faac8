import { newId } from '../id.ts'
import type { Sql } from '../store/sql.ts'
import type { NewJob } from './job-rows.ts'

const rowsPerStatement = 400

/**
 * Adds jobs in the caller's transaction; returns the ids of new ones. A job is not added if an unfinished or failed one
 * has its key.
 */
export async function enqueueJobs(sql: Sql, jobs: readonly NewJob[], now: Date): Promise<string[]> {
  const ids: string[] = []
  for (let start = 0; start < jobs.length; start += rowsPerStatement) {
    const rows = jobs.slice(start, start + rowsPerStatement).map((job) => toRow(job, now))
    // Without a conflict target: the id of a job may be derived from its subject, so that such a job is added only
    // once.
    const added = await sql<{ id: string }>`
      INSERT INTO jobs (id, workspace_id, kind, job_key, concurrency_group, sequence, position, payload, state, due_at,
        attempts, attempts_max, lease_owner, created_at)
      VALUES ${rows} ON CONFLICT DO NOTHING RETURNING id`
    ids.push(...added.map(({ id }) => id))
  }
  return ids
}

function toRow(job: NewJob, now: Date) {
  return [
    job.id ?? newId(),
    job.workspaceId ?? null,
    job.kind,
    job.key ?? null,
    job.concurrencyGroup ?? '',
    job.sequence ?? null,
    job.position ?? 0,
    JSON.stringify(job.payload),
    'waiting',
    (job.dueAt ?? now).getTime(),
    0,
    job.attemptsMax ?? null,
    '',
    now.getTime(),
  ]
}
