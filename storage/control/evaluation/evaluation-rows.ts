/** An evaluation as both the queue and its workspace read it. */
import { groupOf } from './evaluation-groups.ts'

export const evaluationStatuses = ['waiting', 'running', 'judged', 'done', 'skipped', 'failed'] as const
/** `judged`: has a verdict that is not in the trace store yet. */
export type EvaluationStatus = (typeof evaluationStatuses)[number]

/** One evaluation of a trace, of one of its logs or of its session, by one version of an evaluator. */
export type Evaluation = {
  id: string
  workspaceId: string
  traceId: string
  logId: string | undefined
  /** The session that is judged, up to the trace. */
  sessionId: string | undefined
  evaluatorSlug: string
  evaluatorVersion: number
  /** Undefined if the evaluator calls no model. */
  target: { connectionId: string; model: string } | undefined
  /** Whether user-written code judges. */
  isCode: boolean
  status: EvaluationStatus
  attempts: number
  dueAt: Date
  deadlineAt: Date
  problem: string | undefined
  value: boolean | number | string | undefined
  comment: string | undefined
  /** US dollars; undefined if unknown or without a model. */
  cost: number | undefined
  inputTokens: number | undefined
  outputTokens: number | undefined
  /** The trace of the last model call. */
  judgeTraceId: string | undefined
  createdAt: Date
  changedAt: Date
}

export type EvaluationRow = {
  id: string
  workspace_id: string
  trace_id: string
  log_id: string
  evaluator_slug: string
  evaluator_version: number
  connection_id: string
  model: string
  status: EvaluationStatus
  attempts: number
  due_at: number
  deadline_at: number
  problem: string | null
  value: string | null
  comment: string | null
  cost: number | null
  input_tokens: number | null
  output_tokens: number | null
  judge_trace_id: string | null
  session_id: string | null
  created_at: number
  changed_at: number
}

export function toEvaluation(row: EvaluationRow): Evaluation {
  return {
    id: row.id,
    ...groupOf(row),
    traceId: row.trace_id,
    logId: row.log_id === '' ? undefined : row.log_id,
    sessionId: row.session_id ?? undefined,
    evaluatorSlug: row.evaluator_slug,
    evaluatorVersion: row.evaluator_version,
    status: row.status,
    attempts: row.attempts,
    dueAt: new Date(row.due_at),
    deadlineAt: new Date(row.deadline_at),
    problem: row.problem ?? undefined,
    // Safe: only verdicts are written to this column.
    value: row.value === null ? undefined : (JSON.parse(row.value) as Evaluation['value']),
    comment: row.comment ?? undefined,
    cost: row.cost ?? undefined,
    inputTokens: row.input_tokens ?? undefined,
    outputTokens: row.output_tokens ?? undefined,
    judgeTraceId: row.judge_trace_id ?? undefined,
    createdAt: new Date(row.created_at),
    changedAt: new Date(row.changed_at),
  }
}
