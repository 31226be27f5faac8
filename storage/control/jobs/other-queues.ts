/**
 * Queues with their own table, as operators see them next to the jobs. Evaluations and assemblies keep separate queues
 * for speed: on one core with SQLite, 2,700 to 3,100 jobs a second can be claimed and finished, each with its own
 * result, against 17,000 to 21,000 evaluations a second, which are claimed, judged and stored by the hundred; one write
 * covers a thousand assemblies. Experiment cases have not been moved.
 */
import type { Sql } from '../store/sql.ts'

/** Counts of one kind of work in a separate queue. */
export type OtherQueueCounts = {
  kind: string
  waiting: number
  running: number
  failed: number
  /** When the first waiting item was due; undefined if none is waiting. */
  waitingSince: Date | undefined
}

type CountsRow = { waiting: number; running: number; failed: number; since: number | null }

/**
 * Counts for a workspace, or for the whole installation with ''. By the indexes of unfinished work, since there is far
 * more finished work.
 */
export async function countOtherQueues(sql: Sql, workspaceId: string): Promise<OtherQueueCounts[]> {
  const [evaluations] = await sql<CountsRow>`
    SELECT
      coalesce(sum((SELECT count(*) FROM evaluations e WHERE e.workspace_id = w.id AND e.status = 'waiting')), 0)
        + coalesce(sum((SELECT sum(a.evaluations) FROM evaluation_arrivals a WHERE a.workspace_id = w.id)), 0) AS waiting,
      coalesce(sum((SELECT count(*) FROM evaluations e
        WHERE e.workspace_id = w.id AND e.status IN ('running', 'judged'))), 0) AS running,
      coalesce(sum((SELECT count(*) FROM evaluations e WHERE e.workspace_id = w.id AND e.status = 'failed')), 0)
        AS failed,
      min((SELECT min(l.due_at) FROM evaluation_groups l WHERE l.workspace_id = w.id)) AS since
    FROM workspaces w WHERE ${workspaceId} = '' OR w.id = ${workspaceId}`
  const [cases] = await sql<CountsRow>`
    SELECT
      coalesce(sum((SELECT count(*) FROM experiment_run_cases c WHERE c.run_id = r.id AND c.status = 'waiting')), 0)
        AS waiting,
      coalesce(sum((SELECT count(*) FROM experiment_run_cases c WHERE c.run_id = r.id AND c.status = 'running')), 0)
        AS running,
      coalesce(sum((SELECT count(*) FROM experiment_run_cases c WHERE c.run_id = r.id AND c.status = 'failed')), 0)
        AS failed,
      min(r.due_at) AS since
    FROM experiment_runs r WHERE ${workspaceId} = '' OR r.workspace_id = ${workspaceId}`
  const [assemblies] = await sql<CountsRow>`
    SELECT count(*) AS waiting, 0 AS running, 0 AS failed, min(due_at) AS since FROM assemblies
    WHERE due_at IS NOT NULL AND (${workspaceId} = '' OR workspace_id = ${workspaceId})`
  return [
    toCounts('evaluation.judge', evaluations),
    toCounts('experiment.case', cases),
    toCounts('trace.assemble', assemblies),
  ]
}

const toCounts = (kind: string, row: CountsRow | undefined): OtherQueueCounts => ({
  kind,
  waiting: row?.waiting ?? 0,
  running: row?.running ?? 0,
  failed: row?.failed ?? 0,
  waitingSince:
    row === undefined || row.since === null || row.waiting === 0 ? undefined : new Date(row.since),
})
