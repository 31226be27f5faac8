/** Experiment runs and their cases as both the queue and the workspace read them. */

export type ExperimentRunStatus = 'running' | 'done' | 'cancelled'
export const experimentCaseStatuses = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
export type ExperimentCaseStatus = (typeof experimentCaseStatuses)[number]

/** The problem of cases that are never run again, since an erasure emptied their row. */
export const erasedRowProblem = 'An erasure emptied its row.'

/** Runs a prompt version or an endpoint over the rows of a dataset. */
export type ExperimentRun = {
  id: string
  workspaceId: string
  experimentId: string
  datasetSlug: string
  /** Undefined for runs from before datasets had versions. */
  datasetVersion: number | undefined
  /** Only rows in this split, or with this label. */
  split: string | undefined
  label: string | undefined
  /** JSON of the contract's `ExperimentTarget`, without header values. */
  target: string
  sealedHeaders: string | undefined
  /** Undefined if the run calls no model. */
  connectionId: string | undefined
  evaluatorSlugs: string[]
  repetitions: number
  concurrency: number
  /** US dollars; undefined for no limit. */
  spendMax: number | undefined
  rowCount: number
  status: ExperimentRunStatus
  cost: number
  deadlineAt: Date
  heldUntil: Date
  problem: string | undefined
  problems: number
  createdBy: string
  createdAt: Date
  endedAt: Date | undefined
}

/** One repetition of one row. */
export type ExperimentCase = {
  runId: string
  workspaceId: string
  position: number
  repetition: number
  rowId: string
  status: ExperimentCaseStatus
  attempts: number
  dueAt: Date
  problem: string | undefined
  traceId: string | undefined
  cost: number | undefined
  durationMs: number | undefined
  changedAt: Date
}

/** A claimed case, with its row as of the start of the run. */
export type ClaimedCase = ExperimentCase & {
  name: string | undefined
  /** JSON text: an object by column name. */
  values: string
  idealOutput: string | undefined
  /** JSON text: an object. */
  metadata: string | undefined
}

export type RunRow = {
  id: string
  workspace_id: string
  experiment_id: string
  dataset_slug: string
  dataset_version: number | null
  split: string | null
  label: string | null
  target: string
  sealed_headers: string | null
  connection_id: string
  evaluators: string
  repetitions: number
  concurrency: number
  spend_max: number | null
  row_count: number
  status: ExperimentRunStatus
  cost: number
  deadline_at: number
  held_until: number
  problem: string | null
  problems: number
  created_by: string
  created_at: number
  ended_at: number | null
}

export const toRun = (row: RunRow): ExperimentRun => ({
  id: row.id,
  workspaceId: row.workspace_id,
  experimentId: row.experiment_id,
  datasetSlug: row.dataset_slug,
  datasetVersion: row.dataset_version ?? undefined,
  split: row.split ?? undefined,
  label: row.label ?? undefined,
  target: row.target,
  sealedHeaders: row.sealed_headers ?? undefined,
  connectionId: row.connection_id === '' ? undefined : row.connection_id,
  // Safe: only lists of slugs are written to this column.
  evaluatorSlugs: JSON.parse(row.evaluators) as string[],
  repetitions: row.repetitions,
  concurrency: row.concurrency,
  spendMax: row.spend_max ?? undefined,
  rowCount: row.row_count,
  status: row.status,
  cost: row.cost,
  deadlineAt: new Date(row.deadline_at),
  heldUntil: new Date(row.held_until),
  problem: row.problem ?? undefined,
  problems: row.problems,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  endedAt: row.ended_at === null ? undefined : new Date(row.ended_at),
})

export type CaseRow = {
  run_id: string
  workspace_id: string
  position: number
  repetition: number
  row_id: string
  status: ExperimentCaseStatus
  attempts: number
  due_at: number
  problem: string | null
  trace_id: string | null
  cost: number | null
  duration_ms: number | null
  changed_at: number
}

export const toCase = (row: CaseRow): ExperimentCase => ({
  runId: row.run_id,
  workspaceId: row.workspace_id,
  position: row.position,
  repetition: row.repetition,
  rowId: row.row_id,
  status: row.status,
  attempts: row.attempts,
  dueAt: new Date(row.due_at),
  problem: row.problem ?? undefined,
  traceId: row.trace_id ?? undefined,
  cost: row.cost ?? undefined,
  durationMs: row.duration_ms ?? undefined,
  changedAt: new Date(row.changed_at),
})
