/** Experiment runs as their workspace reads them: start, progress, cancel and retry. */
import { NotFound } from '../errors.ts'
import { newId } from '../id.ts'
import { requireFeature } from '../require-parent.ts'
import { afterAll, beforeAll, type Page, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import {
  type CaseRow,
  type ExperimentCase,
  type ExperimentCaseStatus,
  type ExperimentRun,
  type ExperimentRunStatus,
  erasedRowProblem,
  experimentCaseStatuses,
  type RunRow,
  toCase,
  toRun,
} from './experiment-run-rows.ts'

/** A dataset row to run. */
export type RunInput = {
  readonly id: string
  /** Its index in the dataset, from 0. */
  readonly position: number
  readonly name: string | undefined
  readonly values: string
  readonly idealOutput: string | undefined
  readonly metadata: string | undefined
}

export type NewExperimentRun = Pick<
  ExperimentRun,
  | 'datasetSlug'
  | 'datasetVersion'
  | 'target'
  | 'sealedHeaders'
  | 'connectionId'
  | 'evaluatorSlugs'
  | 'repetitions'
  | 'concurrency'
  | 'spendMax'
  | 'createdBy'
> &
  Partial<Pick<ExperimentRun, 'split' | 'label'>> & {
    readonly experiment: { readonly name: string; readonly featureSlug: string }
    readonly rows: readonly RunInput[]
  }

export type CaseCounts = Record<ExperimentCaseStatus, number>

const rowsPerInsert = 500

/** Creates the experiment, its run and the run's cases in one transaction. */
export function create(
  db: WorkspaceDb,
  input: NewExperimentRun,
  { now, deadlineAt }: { readonly now: Date; readonly deadlineAt: Date },
): Promise<string> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    await requireFeature(tx, input.experiment.featureSlug)
    const [id, experimentId, nowMs] = [newId(), newId(), now.getTime()]
    await sql`
      INSERT INTO experiments (id, workspace_id, feature_slug, name, created_at)
      VALUES (${experimentId}, ${workspaceId}, ${input.experiment.featureSlug}, ${input.experiment.name}, ${nowMs})`
    await sql`
      INSERT INTO experiment_runs (id, workspace_id, experiment_id, dataset_slug, dataset_version, split, label, target,
        sealed_headers, connection_id, evaluators, repetitions, concurrency, spend_max, row_count, status, cost, due_at, deadline_at,
        held_until, problems, created_by, created_at)
      VALUES (${id}, ${workspaceId}, ${experimentId}, ${input.datasetSlug}, ${input.datasetVersion ?? null},
        ${input.split ?? null}, ${input.label ?? null}, ${input.target},
        ${input.sealedHeaders ?? null}, ${input.connectionId ?? ''}, ${JSON.stringify(input.evaluatorSlugs)},
        ${input.repetitions}, ${input.concurrency}, ${input.spendMax ?? null}, ${input.rows.length}, 'running', 0,
        ${nowMs}, ${deadlineAt.getTime()}, 0, 0, ${input.createdBy}, ${nowMs})`
    const rows = input.rows.map(({ id: rowId, position, name, values, idealOutput, metadata }) => [
      id,
      position,
      workspaceId,
      rowId,
      name ?? null,
      values,
      idealOutput ?? null,
      metadata ?? null,
    ])
    for (let start = 0; start < rows.length; start += rowsPerInsert)
      await sql`
        INSERT INTO experiment_run_rows (run_id, position, workspace_id, row_id, name, row_values, ideal_output, metadata)
        VALUES ${rows.slice(start, start + rowsPerInsert)}`
    // The first repetition of every row precedes the second of any, so that partial results are representative.
    const cases = Array.from({ length: input.repetitions }, (_, repetition) =>
      input.rows.map(({ position }) => [
        id,
        position,
        repetition,
        workspaceId,
        input.connectionId ?? '',
        'waiting',
        0,
        nowMs + repetition,
        '',
        nowMs,
      ]),
    ).flat()
    for (let start = 0; start < cases.length; start += rowsPerInsert)
      await sql`
        INSERT INTO experiment_run_cases (run_id, position, repetition, workspace_id, connection_id, status, attempts,
          due_at, lease_owner, changed_at)
        VALUES ${cases.slice(start, start + rowsPerInsert)}`
    return id
  })
}

/** Runs, the newest first; served by experiment_runs_by_age. */
export async function list(
  { sql, workspaceId }: WorkspaceDb,
  filters: { readonly experimentId?: string | undefined; readonly status?: ExperimentRunStatus | undefined },
  { limit, after = afterAll }: PageRequest,
): Promise<Page<ExperimentRun>> {
  const [experimentId, status] = [filters.experimentId ?? null, filters.status ?? null]
  const matches = await sql<RunRow>`
    SELECT id, workspace_id, experiment_id, dataset_slug, dataset_version, split, label, target, sealed_headers,
      connection_id, evaluators, repetitions, concurrency, spend_max, row_count, status, cost, deadline_at, held_until, problem, problems,
      created_by, created_at, ended_at
    FROM experiment_runs
    WHERE workspace_id = ${workspaceId} AND (created_at, id) < (${after.position}, ${after.id})
      AND (CAST(${experimentId} AS text) IS NULL OR experiment_id = ${experimentId})
      AND (CAST(${status} AS text) IS NULL OR status = ${status})
    ORDER BY created_at DESC, id DESC LIMIT ${rowsToRead(limit)}`
  const { rows, ...page } = pageOf(matches, limit, (row) => ({ position: row.created_at, id: row.id }))
  return { items: rows.map(toRun), ...page }
}

/** One run, by primary key. */
export async function find(
  { sql, workspaceId }: WorkspaceDb,
  id: string,
): Promise<ExperimentRun | undefined> {
  const rows = await sql<RunRow>`
    SELECT id, workspace_id, experiment_id, dataset_slug, dataset_version, split, label, target, sealed_headers,
      connection_id, evaluators, repetitions, concurrency, spend_max, row_count, status, cost, deadline_at, held_until, problem, problems,
      created_by, created_at, ended_at
    FROM experiment_runs WHERE workspace_id = ${workspaceId} AND id = ${id}`
  return rows.map(toRun)[0]
}

/** Counts of cases by run and status. */
export async function counts(
  { sql, workspaceId }: WorkspaceDb,
  ids: readonly string[],
): Promise<Map<string, CaseCounts>> {
  const rows = await sql<{ run_id: string; status: ExperimentCaseStatus; count: number }>`
    SELECT run_id, status, count(*) AS count FROM experiment_run_cases
    WHERE workspace_id = ${workspaceId} AND run_id IN (${ids}) GROUP BY run_id, status`
  const none = Object.fromEntries(experimentCaseStatuses.map((status) => [status, 0])) as CaseCounts
  const countsByRun = new Map(ids.map((id) => [id, { ...none }]))
  for (const { run_id, status, count } of rows) countsByRun.get(run_id)![status] = count
  return countsByRun
}

/** Ids of the traces that the cases of a run recorded. */
export async function listTraceIds({ sql, workspaceId }: WorkspaceDb, id: string): Promise<string[]> {
  const rows = await sql<{ trace_id: string }>`
    SELECT trace_id FROM experiment_run_cases
    WHERE workspace_id = ${workspaceId} AND run_id = ${id} AND trace_id IS NOT NULL`
  return rows.map(({ trace_id: traceId }) => traceId)
}

/** Cases of a run in the order of its rows, by primary key. */
export async function cases(
  { sql, workspaceId }: WorkspaceDb,
  { runId, status }: { readonly runId: string; readonly status?: ExperimentCaseStatus | undefined },
  { limit, after = beforeAll }: PageRequest,
): Promise<Page<ExperimentCase>> {
  const only = status ?? null
  const repetition = after.id === '' ? -1 : Number(after.id)
  const matches = await sql<CaseRow>`
    SELECT of.run_id, of.workspace_id, of.position, of.repetition, r.row_id, of.status, of.attempts, of.due_at,
      of.problem, of.trace_id, of.cost, of.duration_ms, of.changed_at
    FROM experiment_run_cases AS of
    JOIN experiment_run_rows AS r ON r.run_id = of.run_id AND r.position = of.position
    WHERE of.workspace_id = ${workspaceId} AND of.run_id = ${runId}
      AND (of.position, of.repetition) > (${after.position}, ${repetition})
      AND (CAST(${only} AS text) IS NULL OR of.status = ${only})
    ORDER BY of.position, of.repetition LIMIT ${rowsToRead(limit)}`
  const { rows, ...page } = pageOf(matches, limit, (row) => ({
    position: row.position,
    id: String(row.repetition),
  }))
  return { items: rows.map(toCase), ...page }
}

/** Whether an erasure has emptied the row of a case, by primary key. */
export async function isErased(
  { sql, workspaceId }: WorkspaceDb,
  { runId, position, repetition }: Pick<ExperimentCase, 'runId' | 'position' | 'repetition'>,
): Promise<boolean> {
  const rows = await sql`
    SELECT position FROM experiment_run_cases
    WHERE workspace_id = ${workspaceId} AND run_id = ${runId} AND position = ${position}
      AND repetition = ${repetition} AND problem = ${erasedRowProblem}`
  return rows.length > 0
}

/** Cancels a run and its waiting cases. */
export function cancel(db: WorkspaceDb, id: string, now: Date): Promise<void> {
  return db.transaction(async ({ sql, workspaceId }) => {
    const [run] = await sql<{ id: string }>`
      UPDATE experiment_runs SET status = CASE WHEN status = 'running' THEN 'cancelled' ELSE status END,
        due_at = NULL, problem = NULL, held_until = 0,
        ended_at = CASE WHEN status = 'running' THEN ${now.getTime()} ELSE ended_at END
      WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id`
    if (run === undefined) throw new NotFound('run', id)
    await sql`
      UPDATE experiment_run_cases SET status = 'cancelled', problem = NULL, changed_at = ${now.getTime()}
      WHERE workspace_id = ${workspaceId} AND run_id = ${id} AND status = 'waiting'`
  })
}

/** Queues failed and cancelled cases again with their attempts reset, except those of erased rows; returns how many. */
export function retry(
  db: WorkspaceDb,
  { id, spendMax }: { readonly id: string; readonly spendMax: number | undefined },
  { now, deadlineAt }: { readonly now: Date; readonly deadlineAt: Date },
): Promise<number> {
  return db.transaction(async ({ sql, workspaceId }) => {
    const [run] = await sql<{ id: string }>`
      UPDATE experiment_runs SET spend_max = coalesce(CAST(${spendMax ?? null} AS double precision), spend_max)
      WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id`
    if (run === undefined) throw new NotFound('run', id)
    const retriedRows = await sql<{ position: number }>`
      UPDATE experiment_run_cases SET status = 'waiting', attempts = 0, problem = NULL, due_at = ${now.getTime()},
        changed_at = ${now.getTime()}
      WHERE workspace_id = ${workspaceId} AND run_id = ${id} AND status IN ('failed', 'cancelled')
        AND (problem IS NULL OR problem <> ${erasedRowProblem})
      RETURNING position`
    if (retriedRows.length > 0)
      await sql`
        UPDATE experiment_runs SET status = 'running', due_at = ${now.getTime()}, held_until = 0, problem = NULL,
          problems = 0, ended_at = NULL, deadline_at = ${deadlineAt.getTime()}
        WHERE workspace_id = ${workspaceId} AND id = ${id}`
    return retriedRows.length
  })
}
