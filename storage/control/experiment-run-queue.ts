/**
 * The cases of runs that wait, of the installation, since any node runs those of any workspace. A node that begins
 * some holds them for a time: of one that dies they come back when the time is over. What a case came to counts only
 * from the node that holds it.
 */
import { addCost, allowedOf } from './connection-limits.ts'
import {
  type BegunCase,
  type CaseRow,
  type ExperimentCase,
  type ExperimentRun,
  type RunRow,
  toCase,
  toRun,
} from './experiment-run-rows.ts'
import type { Database, Sql } from './sql.ts'

/** What one case came to. */
export type CaseOutcome = {
  readonly of: ExperimentCase
  readonly cost: number | undefined
  readonly durationMs: number | undefined
} & (
  | { readonly type: 'done'; readonly traceId: string }
  | { readonly type: 'failed'; readonly problem: string }
  | {
      readonly type: 'again'
      readonly problem: string | undefined
      readonly dueAt: Date
      /** Whether this time counts among those that may be tried. */
      readonly isCharged: boolean
    }
)

export type BeginningCases = {
  readonly holder: string
  readonly limit: number
  readonly lostAt: Date
  readonly now: Date
  /** Of a connection that states none. */
  readonly concurrencyMax: number
}

export type ExperimentRunQueue = ReturnType<typeof experimentRunQueue>

export function experimentRunQueue(database: Database) {
  const { sql } = database
  return {
    /** Runs in which a case is due, the longest first. */
    openRuns: (now: Date, limit: number) => openRuns(sql, now, limit),
    /** When something will be due; undefined when nothing waits. */
    nextDueMs: () => nextDueMs(sql),
    /** Begins cases of a run that are due, as many as it and its connection allow. */
    begin: (run: ExperimentRun, by: BeginningCases) =>
      database.transaction((tx) => begin(database, tx, run, by)),
    /** Writes down what a case came to, unless another node has it by now; the run ends with its last case. */
    finish: (run: ExperimentRun, outcome: CaseOutcome, by: { holder: string; now: Date }) =>
      database.transaction((tx) => finish(tx, run, outcome, by)),
    /** Begins nothing of a run before; what is said while it is held counts as one problem. */
    hold: (runId: string, by: { until: Date; problem: string; now: Date }) => hold(sql, runId, by),
    /** What held a run up is over. */
    recover: async (runId: string, now: Date) =>
      void (await sql`
        UPDATE experiment_runs SET problem = NULL, problems = 0
        WHERE id = ${runId} AND held_until <= ${now.getTime()}`),
    /** What a node has begun waits again: it was stopped, or the time that it may hold it is over. */
    takeBack: (from: { holder: string } | { lostBefore: Date }, now: Date) =>
      database.transaction((tx) => takeBack(tx, from, now)),
  }
}

/** By the index of runs under way: there are few. */
async function openRuns(sql: Sql, now: Date, limit: number): Promise<ExperimentRun[]> {
  const rows = await sql<RunRow>`
    SELECT id, workspace_id, experiment_id, dataset_slug, target, sealed_headers, connection_id, evaluators,
      repetitions, concurrency, spend_max, row_count, status, cost, deadline_at, held_until, problem, problems,
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

/** The run's row is locked first, so of several nodes one counts and begins at a time. */
async function begin(
  database: Database,
  sql: Sql,
  { id, workspaceId, connectionId, concurrency }: ExperimentRun,
  { holder, limit, lostAt, now, concurrencyMax }: BeginningCases,
): Promise<BegunCase[]> {
  const at = now.getTime()
  const [run] = await sql<{ cost: number; spend_max: number | null; deadline_at: number }>`
    UPDATE experiment_runs SET due_at = due_at WHERE id = ${id} AND status = 'running'
    RETURNING cost, spend_max, deadline_at`
  if (run === undefined) return []
  const giveUp = giveUpReason(run, at)
  if (giveUp !== undefined) {
    await sql`
      UPDATE experiment_run_cases SET status = 'failed', problem = ${giveUp}, changed_at = ${at}
      WHERE run_id = ${id} AND status = 'waiting'`
    await settleRun(sql, id, at)
    return []
  }
  const allowed =
    connectionId === undefined
      ? { count: limit }
      : await allowedOf(sql, { workspaceId, connection: connectionId, concurrencyMax, now })
  if ('held' in allowed) {
    await hold(sql, id, { ...allowed.held, now })
    return []
  }
  const [running] = await sql<{ count: number }>`
    SELECT count(*) AS count FROM experiment_run_cases WHERE run_id = ${id} AND status = 'running'`
  const count = Math.min(limit, allowed.count, concurrency - (running?.count ?? 0))
  if (count <= 0) return []
  // By the index of what waits. A row that another node has just taken is passed over, where there are other nodes.
  const wanted =
    database.engine === 'PostgreSQL'
      ? await sql<{ position: number; repetition: number }>`
          SELECT position, repetition FROM experiment_run_cases
          WHERE run_id = ${id} AND status = 'waiting' AND due_at <= ${at}
          ORDER BY due_at, position LIMIT ${count} FOR UPDATE SKIP LOCKED`
      : await sql<{ position: number; repetition: number }>`
          SELECT position, repetition FROM experiment_run_cases
          WHERE run_id = ${id} AND status = 'waiting' AND due_at <= ${at}
          ORDER BY due_at, position LIMIT ${count}`
  const begun: BegunCase[] = []
  for (const { position, repetition } of wanted) {
    await sql`
      UPDATE experiment_run_cases SET status = 'running', holder = ${holder}, due_at = ${lostAt.getTime()},
        attempts = attempts + 1, changed_at = ${at}
      WHERE run_id = ${id} AND position = ${position} AND repetition = ${repetition}`
    const [row] = await sql<
      CaseRow & {
        name: string | null
        row_values: string
        ideal_output: string | null
        metadata: string | null
      }
    >`
      SELECT of.run_id, of.workspace_id, of.position, of.repetition, r.row_id, of.status, of.attempts, of.due_at,
        of.problem, of.trace_id, of.cost, of.duration_ms, of.changed_at, r.name, r.row_values, r.ideal_output,
        r.metadata
      FROM experiment_run_cases AS of
      JOIN experiment_run_rows AS r ON r.run_id = of.run_id AND r.position = of.position
      WHERE of.run_id = ${id} AND of.position = ${position} AND of.repetition = ${repetition}`
    if (row !== undefined)
      begun.push({
        ...toCase(row),
        name: row.name ?? undefined,
        values: row.row_values,
        idealOutput: row.ideal_output ?? undefined,
        metadata: row.metadata ?? undefined,
      })
  }
  await noteDue(sql, id)
  return begun
}

/** Why nothing more of a run is begun, for good. */
function giveUpReason(
  run: { readonly cost: number; readonly spend_max: number | null; readonly deadline_at: number },
  at: number,
): string | undefined {
  if (run.deadline_at < at) return 'It was not run before its deadline.'
  return run.spend_max !== null && run.cost >= run.spend_max
    ? `The run has spent the $${run.spend_max} that it may spend.`
    : undefined
}

/** A run knows when the first of its cases is due. */
async function noteDue(sql: Sql, runId: string): Promise<void> {
  await sql`
    UPDATE experiment_runs SET due_at = (
      SELECT min(due_at) FROM experiment_run_cases WHERE run_id = ${runId} AND status = 'waiting')
    WHERE id = ${runId} AND status = 'running'`
}

async function finish(
  sql: Sql,
  run: ExperimentRun,
  outcome: CaseOutcome,
  { holder, now }: { holder: string; now: Date },
): Promise<void> {
  const at = now.getTime()
  const { of, cost = null, durationMs = null } = outcome
  // The run before its case, in the order in which cases are begun, so that two nodes never wait for each other.
  const [standing] = await sql<{ status: string }>`
    UPDATE experiment_runs SET cost = cost + ${cost ?? 0} WHERE id = ${run.id} RETURNING status`
  if (cost !== null && run.connectionId !== undefined)
    await addCost(sql, { workspaceId: run.workspaceId, connection: run.connectionId }, cost, now)
  const { status, problem, dueAt, attempts } = columnsOf(outcome, standing?.status === 'cancelled')
  await sql`
    UPDATE experiment_run_cases SET status = ${status}, problem = ${problem}, due_at = ${dueAt.getTime()},
      attempts = ${attempts}, trace_id = ${outcome.type === 'done' ? outcome.traceId : null},
      cost = CASE WHEN CAST(${cost} AS double precision) IS NULL THEN cost
        ELSE coalesce(cost, 0) + CAST(${cost} AS double precision) END,
      duration_ms = CAST(${durationMs} AS double precision), changed_at = ${at}
    WHERE run_id = ${of.runId} AND position = ${of.position} AND repetition = ${of.repetition}
      AND status = 'running' AND holder = ${holder} AND attempts = ${of.attempts}`
  await settleRun(sql, run.id, at)
}

/** What would wait again in a run that was cancelled is cancelled too. */
function columnsOf(outcome: CaseOutcome, isCancelled: boolean) {
  const { of } = outcome
  const kept = { problem: null, dueAt: of.dueAt, attempts: of.attempts }
  switch (outcome.type) {
    case 'done':
      return { ...kept, status: 'done' } as const
    case 'failed':
      return { ...kept, status: 'failed', problem: outcome.problem } as const
    case 'again':
      return {
        status: isCancelled ? 'cancelled' : 'waiting',
        problem: outcome.problem ?? null,
        dueAt: outcome.dueAt,
        attempts: of.attempts - (outcome.isCharged ? 0 : 1),
      } as const
  }
}

/** A run whose cases have all ended is done. */
async function settleRun(sql: Sql, runId: string, at: number): Promise<void> {
  await noteDue(sql, runId)
  await sql`
    UPDATE experiment_runs SET status = 'done', ended_at = ${at}, problem = NULL, held_until = 0
    WHERE id = ${runId} AND status = 'running' AND NOT EXISTS (
      SELECT 1 FROM experiment_run_cases WHERE run_id = ${runId} AND status IN ('waiting', 'running'))`
}

async function hold(
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

async function takeBack(sql: Sql, from: { holder: string } | { lostBefore: Date }, now: Date): Promise<void> {
  const at = now.getTime()
  const lost =
    'holder' in from
      ? await sql<{ run_id: string }>`
          SELECT DISTINCT run_id FROM experiment_run_cases WHERE status = 'running' AND holder = ${from.holder}
          ORDER BY run_id`
      : await sql<{ run_id: string }>`
          SELECT DISTINCT run_id FROM experiment_run_cases
          WHERE status = 'running' AND due_at < ${from.lostBefore.getTime()} ORDER BY run_id`
  for (const { run_id: runId } of lost) {
    const [run] = await sql<{ status: string }>`
      UPDATE experiment_runs SET cost = cost WHERE id = ${runId} RETURNING status`
    const status = run?.status === 'cancelled' ? 'cancelled' : 'waiting'
    if ('holder' in from)
      await sql`
        UPDATE experiment_run_cases SET status = ${status}, due_at = ${at}, changed_at = ${at}
        WHERE run_id = ${runId} AND status = 'running' AND holder = ${from.holder}`
    else
      await sql`
        UPDATE experiment_run_cases SET status = ${status}, due_at = ${at}, changed_at = ${at},
          problem = 'The node that ran it went away.'
        WHERE run_id = ${runId} AND status = 'running' AND due_at < ${from.lostBefore.getTime()}`
    await settleRun(sql, runId, at)
  }
}
