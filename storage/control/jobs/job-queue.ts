/**
 * The queue of durable background work. It belongs to the installation, since any node runs jobs of any workspace. A
 * node claims jobs under a lease and renews it while it works; those of a dead node are reclaimed when it expires. Only
 * the lease owner can finish a job, so a node that returns late changes nothing. A job runs at least once.
 */
import type { Database, Sql } from '../store/sql.ts'
import { claimJobs, type JobClaim } from './claim-jobs.ts'
import { enqueueJobs } from './enqueue-jobs.ts'
import { cancelJob, countJobs, findJob, type JobFilters, listJobs, retryJob } from './job-list.ts'
import type { Job, JsonValue, NewJob } from './job-rows.ts'
import { countOtherQueues } from './other-queues.ts'

export type JobQueue = ReturnType<typeof jobQueue>

/** The claim of a job, which proves that this attempt still owns it. */
export type ClaimedJob = Pick<Job, 'id' | 'attempts'> & { readonly leaseOwner: string }

export function jobQueue(database: Database) {
  const { sql } = database
  return {
    /** Adds jobs; returns the ids of the new ones. */
    enqueue: (jobs: readonly NewJob[], now: Date) => database.transaction((tx) => enqueueJobs(tx, jobs, now)),
    /** Claims due jobs of a kind. A power loss may undo the claim; then they are claimed again. */
    claim: (claim: JobClaim) => database.transaction((tx) => claimJobs(database, tx, claim), 'later'),
    /** Extends leases; returns the ids of jobs that the node still owns. */
    renew: (ids: readonly string[], leaseOwner: string, leaseExpiresAt: Date) =>
      renew(sql, ids, leaseOwner, leaseExpiresAt),
    /**
     * This and the following functions return false if the claim was lost: the lease had expired, or the job was
     * cancelled.
     */
    complete: (claim: ClaimedJob, result: JsonValue | undefined, now: Date) =>
      complete(sql, claim, result, now),
    /**
     * Completes this run of a recurring job, which is due again at `dueAt`, or at once if it was made due while it ran.
     */
    reschedule: (claim: ClaimedJob & Pick<Job, 'dueAt'>, dueAt: Date) => reschedule(sql, claim, dueAt),
    /** Records a failed attempt, with the next one at `dueAt`. */
    retryAt: (claim: ClaimedJob, problem: string, dueAt: Date) => retryAt(sql, claim, problem, dueAt),
    /** Records the last attempt: the job becomes a dead letter. */
    fail: (claim: ClaimedJob, problem: string, now: Date) => fail(sql, claim, problem, now),
    /** Releases a job that its node does not finish; the attempt does not count. */
    release: (claim: ClaimedJob, now: Date) => release(sql, claim, now),
    reportProgress: (claim: ClaimedJob, progress: JsonValue) => reportProgress(sql, claim, progress),
    /** Reclaims jobs with an expired lease, or the jobs of a dead node; the attempt counts. */
    reclaim: (lease: { readonly leaseOwner: string } | { readonly expiredAt: Date }, now: Date) =>
      reclaim(sql, lease, now),
    /** Makes jobs of a kind that are due after `dueAfter` due now. */
    hasten: (kind: string, dueAfter: Date, now: Date) => hasten(sql, kind, dueAfter, now),
    /** When the next job is due; undefined if none waits. */
    nextDueAt: () => nextDueAt(sql),
    /**
     * Deletes finished jobs, and dead letters after a longer retention. Cancelled jobs with a key are kept as long as
     * their workspace: without them, the next start would resume their work.
     */
    deleteFinished: (cutoffs: { readonly doneCutoff: Date; readonly failedCutoff: Date }) =>
      deleteFinished(sql, cutoffs),
    list: (filters: JobFilters) => listJobs(sql, '', filters),
    find: (id: string) => findJob(sql, '', id),
    counts: () => countJobs(sql, ''),
    /** Work waiting in other queues. */
    otherCounts: () => countOtherQueues(sql, ''),
    retry: (id: string, now: Date) => retryJob(sql, '', id, now),
    cancel: (id: string, now: Date) => cancelJob(sql, '', id, now),
  }
}

async function renew(
  sql: Sql,
  ids: readonly string[],
  leaseOwner: string,
  leaseExpiresAt: Date,
): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    UPDATE jobs SET lease_expires_at = ${leaseExpiresAt.getTime()}
    WHERE id IN (${ids}) AND state = 'running' AND lease_owner = ${leaseOwner} RETURNING id`
  return rows.map(({ id }) => id)
}

async function complete(
  sql: Sql,
  { id, leaseOwner, attempts }: ClaimedJob,
  result: JsonValue | undefined,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    UPDATE jobs SET state = 'done', result = ${result === undefined ? null : JSON.stringify(result)},
      finished_at = ${now.getTime()}, lease_owner = '', lease_expires_at = NULL, last_error = NULL
    WHERE id = ${id} AND state = 'running' AND lease_owner = ${leaseOwner} AND attempts = ${attempts} RETURNING id`
  return rows.length > 0
}

async function reschedule(
  sql: Sql,
  { id, leaseOwner, attempts, dueAt: claimedDueAt }: ClaimedJob & Pick<Job, 'dueAt'>,
  dueAt: Date,
): Promise<boolean> {
  const rows = await sql`
    UPDATE jobs SET state = 'waiting', attempts = 0,
      due_at = CASE WHEN due_at > ${claimedDueAt.getTime()} THEN due_at ELSE CAST(${dueAt.getTime()} AS bigint) END,
      lease_owner = '',
      lease_expires_at = NULL, last_error = NULL
    WHERE id = ${id} AND state = 'running' AND lease_owner = ${leaseOwner} AND attempts = ${attempts} RETURNING id`
  return rows.length > 0
}

async function retryAt(
  sql: Sql,
  { id, leaseOwner, attempts }: ClaimedJob,
  problem: string,
  dueAt: Date,
): Promise<boolean> {
  const rows = await sql`
    UPDATE jobs SET state = 'waiting', due_at = ${dueAt.getTime()}, lease_owner = '', lease_expires_at = NULL,
      last_error = ${problem}
    WHERE id = ${id} AND state = 'running' AND lease_owner = ${leaseOwner} AND attempts = ${attempts} RETURNING id`
  return rows.length > 0
}

async function fail(
  sql: Sql,
  { id, leaseOwner, attempts }: ClaimedJob,
  problem: string,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    UPDATE jobs SET state = 'failed', finished_at = ${now.getTime()}, lease_owner = '', lease_expires_at = NULL,
      last_error = ${problem}
    WHERE id = ${id} AND state = 'running' AND lease_owner = ${leaseOwner} AND attempts = ${attempts} RETURNING id`
  return rows.length > 0
}

async function release(sql: Sql, { id, leaseOwner, attempts }: ClaimedJob, now: Date): Promise<boolean> {
  const rows = await sql`
    UPDATE jobs SET state = 'waiting', due_at = ${now.getTime()}, attempts = attempts - 1, lease_owner = '',
      lease_expires_at = NULL
    WHERE id = ${id} AND state = 'running' AND lease_owner = ${leaseOwner} AND attempts = ${attempts} RETURNING id`
  return rows.length > 0
}

async function reportProgress(
  sql: Sql,
  { id, leaseOwner, attempts }: ClaimedJob,
  progress: JsonValue,
): Promise<boolean> {
  const rows = await sql`
    UPDATE jobs SET progress = ${JSON.stringify(progress)}
    WHERE id = ${id} AND state = 'running' AND lease_owner = ${leaseOwner} AND attempts = ${attempts} RETURNING id`
  return rows.length > 0
}

const lostProblem = 'The node that ran it stopped or lost its connection before it had finished.'

async function reclaim(
  sql: Sql,
  lease: { readonly leaseOwner: string } | { readonly expiredAt: Date },
  now: Date,
): Promise<number> {
  const nowMs = now.getTime()
  const rows =
    'leaseOwner' in lease
      ? await sql`
          UPDATE jobs SET state = CASE WHEN attempts >= attempts_max THEN 'failed' ELSE 'waiting' END,
            finished_at = CASE WHEN attempts >= attempts_max THEN CAST(${nowMs} AS bigint) END,
            due_at = ${nowMs}, lease_owner = '', lease_expires_at = NULL, last_error = ${lostProblem}
          WHERE state = 'running' AND lease_owner = ${lease.leaseOwner} RETURNING id`
      : await sql`
          UPDATE jobs SET state = CASE WHEN attempts >= attempts_max THEN 'failed' ELSE 'waiting' END,
            finished_at = CASE WHEN attempts >= attempts_max THEN CAST(${nowMs} AS bigint) END,
            due_at = ${nowMs}, lease_owner = '', lease_expires_at = NULL, last_error = ${lostProblem}
          WHERE state = 'running' AND lease_expires_at <= ${lease.expiredAt.getTime()} RETURNING id`
  return rows.length
}

/** Served by the index of due jobs of a kind. */
async function hasten(sql: Sql, kind: string, dueAfter: Date, now: Date): Promise<void> {
  await sql`
    UPDATE jobs SET due_at = ${now.getTime()}
    WHERE state = 'waiting' AND kind = ${kind} AND due_at > ${dueAfter.getTime()}`
}

/** Served by the index of due jobs. */
async function nextDueAt(sql: Sql): Promise<Date | undefined> {
  const [row] = await sql<{ due_at: number }>`
    SELECT due_at FROM jobs WHERE state = 'waiting' ORDER BY due_at LIMIT 1`
  return row && new Date(row.due_at)
}

async function deleteFinished(
  sql: Sql,
  { doneCutoff, failedCutoff }: { readonly doneCutoff: Date; readonly failedCutoff: Date },
): Promise<void> {
  await sql`
    DELETE FROM jobs WHERE state IN ('done', 'cancelled') AND finished_at IS NOT NULL
      AND finished_at < ${doneCutoff.getTime()}
      AND (state = 'done' OR job_key IS NULL OR workspace_id IS NULL)`
  await sql`
    DELETE FROM jobs WHERE state = 'failed' AND finished_at IS NOT NULL AND finished_at < ${failedCutoff.getTime()}`
}
