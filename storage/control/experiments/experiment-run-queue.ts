/**
 * The queue of experiment cases. It belongs to the installation, since any node runs cases of any workspace. A node
 * claims cases under a lease, and those of a dead node are reclaimed when it expires. Only the lease owner can record
 * a result.
 */
import { addCost, countAllowed } from '../evaluation/connection-limits.ts'
import type { Database, Sql } from '../store/sql.ts'
import {
  type CaseRow,
  type ClaimedCase,
  type ExperimentCase,
  type ExperimentRun,
  type RunRow,
  toCase,
  toRun,
} from './experiment-run-rows.ts'

/** The result of one attempt at a case. */
export type CaseUpdate = {
  readonly experimentCase: ExperimentCase
  readonly cost: number | undefined
  readonly durationMs: number | undefined
} & (
  | { readonly type: 'done'; readonly traceId: string }
  | { readonly type: 'failed'; readonly problem: string }
  | {
      readonly type: 'again'
      readonly problem: string | undefined
      readonly dueAt: Date
      /** Whether this attempt counts towards the limit. */
      readonly isCharged: boolean
    }
)

export type CaseClaim = {
  readonly leaseOwner: string
  readonly limit: number
  readonly leaseExpiresAt: Date
  readonly now: Date
  /** The default for connections without a limit. */
  readonly concurrencyMax: number
}

type RunKey = Pick<ExperimentRun, 'id' | 'workspaceId'>

export type ExperimentRunQueue = ReturnType<typeof experimentRunQueue>

export function experimentRunQueue(database: Database) {
  const { sql } = database
  return {
    /** Runs with a due case, the longest overdue first. */
    openRuns: (now: Date, limit: number) => openRuns(sql, now, limit),
    /** When the next case is due; undefined if none waits. */
    nextDueMs: () => nextDueMs(sql),
    /** Claims due cases of a run, as many as the run and its connection allow. */
    claim: (run: ExperimentRun, claim: CaseClaim) =>
      database.transaction((tx) => claimCases(database, tx, run, claim)),
    /** Records the result of a case if this node still owns its lease; the run ends with its last case. */
    finish: (run: ExperimentRun, update: CaseUpdate, lease: { leaseOwner: string; now: Date }) =>
      database.transaction((tx) => finish(tx, run, update, lease)),
    /** Opens a run's circuit breaker until a time; failures while it is open count as one. */
    openCircuit: (runId: string, circuit: { until: Date; problem: string; now: Date }) =>
      openCircuit(sql, runId, circuit),
    /** Resets the failures of a run. */
    clearProblems: async (runId: string, now: Date) =>
      void (await sql`
        UPDATE experiment_runs SET problem = NULL, problems = 0
        WHERE id = ${runId} AND held_until <= ${now.getTime()}`),
    /** Releases the leases of a stopped node, or reclaims expired ones. */
    reclaim: (lease: { leaseOwner: string } | { expiredAt: Date }, now: Date) =>
      database.transaction((tx) => reclaimCases(tx, lease, now)),
  }
}

/** Served by the index of running runs, of which there are few. */
async function openRuns(sql: Sql, now: Date, limit: number): Promise<ExperimentRun[]> {
  const rows = await sql<RunRow>`
    SELECT id, workspace_id, experiment_id, dataset_slug, dataset_version, split, label, target, sealed_headers,
      connection_id, evaluators, repetitions, concurrency, spend_max, row_count, status, cost, deadline_at, held_until, problem, problems,
      created_by, created_at, ended_at
    FROM experiment_runs
    WHERE status = 'running' AND due_at <= ${now.getTime()} AND held_until <= ${now.getTime()}
    ORDER BY due_at LIMIT ${limit}`
  return rows.map(toRun)
}

async function nextDueMs(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ next: number | null }>`
    SELECT min(CASE WHEN held_until > due_at THEN held_until ELSE due_at END) AS next
    FROM experiment_runs WHERE status = 'running' AND due_at IS NOT NULL`
  return row?.next ?? undefined
}

/** Locks the run's row first, so that one node at a time counts and claims. */
async function claimCases(
  database: Database,
  sql: Sql,
  { id, workspaceId, connectionId, concurrency }: ExperimentRun,
  { leaseOwner, limit, leaseExpiresAt, now, concurrencyMax }: CaseClaim,
): Promise<ClaimedCase[]> {
  const nowMs = now.getTime()
  const [run] = await sql<{ cost: number; spend_max: number | null; deadline_at: number }>`
    UPDATE experiment_runs SET due_at = due_at WHERE id = ${id} AND status = 'running'
    RETURNING cost, spend_max, deadline_at`
  if (run === undefined) return []
  const giveUp = giveUpReason(run, nowMs)
  if (giveUp !== undefined) {
    await sql`
      UPDATE experiment_run_cases SET status = 'failed', problem = ${giveUp}, changed_at = ${nowMs}
      WHERE run_id = ${id} AND status = 'waiting'`
    await settleRun(sql, { id, workspaceId }, nowMs)
    return []
  }
  const allowed =
    connectionId === undefined
      ? { count: limit }
      : await countAllowed(sql, { workspaceId, connection: connectionId, concurrencyMax, now })
  if ('pause' in allowed) {
    await openCircuit(sql, id, { ...allowed.pause, now })
    return []
  }
  const [runningRow] = await sql<{ count: number }>`
    SELECT count(*) AS count FROM experiment_run_cases WHERE run_id = ${id} AND status = 'running'`
  const count = Math.min(limit, allowed.count, concurrency - (runningRow?.count ?? 0))
  if (count <= 0) return []
  // By the index of waiting cases. Skips rows that another node is claiming; SQLite has one node.
  const dueCases =
    database.engine === 'PostgreSQL'
      ? await sql<{ position: number; repetition: number }>`
          SELECT position, repetition FROM experiment_run_cases
          WHERE run_id = ${id} AND status = 'waiting' AND due_at <= ${nowMs}
          ORDER BY due_at, position LIMIT ${count} FOR UPDATE SKIP LOCKED`
      : await sql<{ position: number; repetition: number }>`
          SELECT position, repetition FROM experiment_run_cases
          WHERE run_id = ${id} AND status = 'waiting' AND due_at <= ${nowMs}
          ORDER BY due_at, position LIMIT ${count}`
  const cases: ClaimedCase[] = []
  for (const { position, repetition } of dueCases) {
    await sql`
      UPDATE experiment_run_cases SET status = 'running', lease_owner = ${leaseOwner}, due_at = ${leaseExpiresAt.getTime()},
        attempts = attempts + 1, changed_at = ${nowMs}
      WHERE run_id = ${id} AND position = ${position} AND repetition = ${repetition}`
    const [row] = await sql<
      CaseRow & {
        name: string | null
        row_values: string
        ideal_output: string | null
        metadata: string | null
      }
    >`
      SELECT c.run_id, c.workspace_id, c.position, c.repetition, r.row_id, c.status, c.attempts, c.due_at,
        c.problem, c.trace_id, c.cost, c.duration_ms, c.changed_at, r.name, r.row_values, r.ideal_output,
        r.metadata
      FROM experiment_run_cases AS c
      JOIN experiment_run_rows AS r ON r.run_id = c.run_id AND r.position = c.position
      WHERE c.run_id = ${id} AND c.position = ${position} AND c.repetition = ${repetition}`
    if (row !== undefined)
      cases.push({
        ...toCase(row),
        name: row.name ?? undefined,
        values: row.row_values,
        idealOutput: row.ideal_output ?? undefined,
        metadata: row.metadata ?? undefined,
      })
  }
  await settleRun(sql, { id, workspaceId }, nowMs)
  return cases
}

/** Why the run must not start any more cases. */
function giveUpReason(
  run: { readonly cost: number; readonly spend_max: number | null; readonly deadline_at: number },
  nowMs: number,
): string | undefined {
  if (run.deadline_at < nowMs) return 'It was not run before its deadline.'
  return run.spend_max !== null && run.cost >= run.spend_max
    ? `The run has reached its spending limit of $${run.spend_max}.`
    : undefined
}

/** Sets the run's due time to that of its first waiting case. */
async function noteDue(sql: Sql, { id, workspaceId }: RunKey): Promise<void> {
  await sql`
    UPDATE experiment_runs SET due_at = (
      SELECT min(due_at) FROM experiment_run_cases WHERE run_id = ${id} AND status = 'waiting')
    WHERE workspace_id = ${workspaceId} AND id = ${id} AND status = 'running'`
}

async function finish(
  sql: Sql,
  run: ExperimentRun,
  update: CaseUpdate,
  { leaseOwner, now }: { leaseOwner: string; now: Date },
): Promise<void> {
  const nowMs = now.getTime()
  const { experimentCase, cost = null, durationMs = null } = update
  // The run before its case, in the order of claims, so that two nodes cannot deadlock.
  const [current] = await sql<{ status: string }>`
    UPDATE experiment_runs SET cost = cost + ${cost ?? 0} WHERE id = ${run.id} RETURNING status`
  if (cost !== null && run.connectionId !== undefined)
    await addCost(sql, { workspaceId: run.workspaceId, connection: run.connectionId }, cost, now)
  const { status, problem, dueAt, attempts } = columnsOf(update, current?.status === 'cancelled')
  await sql`
    UPDATE experiment_run_cases SET status = ${status}, problem = ${problem}, due_at = ${dueAt.getTime()},
      attempts = ${attempts}, trace_id = ${update.type === 'done' ? update.traceId : null},
      cost = CASE WHEN CAST(${cost} AS double precision) IS NULL THEN cost
        ELSE coalesce(cost, 0) + CAST(${cost} AS double precision) END,
      duration_ms = CAST(${durationMs} AS double precision), changed_at = ${nowMs}
    WHERE run_id = ${experimentCase.runId} AND position = ${experimentCase.position} AND repetition = ${experimentCase.repetition}
      AND status = 'running' AND lease_owner = ${leaseOwner} AND attempts = ${experimentCase.attempts}`
  await settleRun(sql, run, nowMs)
}

/** A case to retry is cancelled instead if its run was cancelled. */
function columnsOf(update: CaseUpdate, isCancelled: boolean) {
  const { experimentCase } = update
  const unchanged = { problem: null, dueAt: experimentCase.dueAt, attempts: experimentCase.attempts }
  switch (update.type) {
    case 'done':
      return { ...unchanged, status: 'done' } as const
    case 'failed':
      return { ...unchanged, status: 'failed', problem: update.problem } as const
    case 'again':
      return {
        status: isCancelled ? 'cancelled' : 'waiting',
        problem: update.problem ?? null,
        dueAt: update.dueAt,
        attempts: experimentCase.attempts - (update.isCharged ? 0 : 1),
      } as const
  }
}

/** Updates when the run is due next; a run whose cases have all ended is done. */
export async function settleRun(sql: Sql, run: RunKey, nowMs: number): Promise<void> {
  await noteDue(sql, run)
  await sql`
    UPDATE experiment_runs SET status = 'done', ended_at = ${nowMs}, problem = NULL, held_until = 0
    WHERE workspace_id = ${run.workspaceId} AND id = ${run.id} AND status = 'running' AND NOT EXISTS (
      SELECT 1 FROM experiment_run_cases WHERE run_id = ${run.id} AND status IN ('waiting', 'running'))`
}

async function openCircuit(
  sql: Sql,
  runId: string,
  { until, problem, now }: { until: Date; problem: string; now: Date },
): Promise<void> {
  await sql`
    UPDATE experiment_runs SET problem = ${problem},
      problems = problems + CASE WHEN held_until > ${now.getTime()} THEN 0 ELSE 1 END,
      held_until = CASE WHEN held_until > ${until.getTime()} THEN held_until ELSE ${until.getTime()} END
    WHERE id = ${runId} AND status = 'running'`
}

async function reclaimCases(
  sql: Sql,
  lease: { leaseOwner: string } | { expiredAt: Date },
  now: Date,
): Promise<void> {
  const nowMs = now.getTime()
  // By the index of running cases. With DISTINCT or an order SQLite reads the cases of all runs by another index.
  const cases =
    'leaseOwner' in lease
      ? await sql<{ run_id: string; workspace_id: string }>`
          SELECT run_id, workspace_id FROM experiment_run_cases
          WHERE status = 'running' AND lease_owner = ${lease.leaseOwner}`
      : await sql<{ run_id: string; workspace_id: string }>`
          SELECT run_id, workspace_id FROM experiment_run_cases
          WHERE status = 'running' AND due_at < ${lease.expiredAt.getTime()}`
  const runs = new Map(cases.map((row) => [row.run_id, row.workspace_id]))
  // In one order everywhere, so that two nodes cannot deadlock.
  for (const runId of [...runs.keys()].toSorted()) {
    const workspaceId = runs.get(runId)!
    const [run] = await sql<{ status: string }>`
      UPDATE experiment_runs SET cost = cost WHERE id = ${runId} RETURNING status`
    const status = run?.status === 'cancelled' ? 'cancelled' : 'waiting'
    if ('leaseOwner' in lease)
      await sql`
        UPDATE experiment_run_cases SET status = ${status}, due_at = ${nowMs}, changed_at = ${nowMs}
        WHERE run_id = ${runId} AND status = 'running' AND lease_owner = ${lease.leaseOwner}`
    else
      await sql`
        UPDATE experiment_run_cases SET status = ${status}, due_at = ${nowMs}, changed_at = ${nowMs},
          problem = 'The node that ran it went away.'
        WHERE run_id = ${runId} AND status = 'running' AND due_at < ${lease.expiredAt.getTime()}`
    await settleRun(sql, { id: runId, workspaceId }, nowMs)
  }
}
