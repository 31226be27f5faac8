import type { Evaluation } from '@plumbline/contract'
import type { Evaluation as StoredEvaluation } from '@plumbline/storage/control'

/** An evaluation as the interface shows it. */
export const toEvaluation = (evaluation: StoredEvaluation): Evaluation => ({
  id: evaluation.id,
  traceId: evaluation.traceId,
  logId: evaluation.logId ?? null,
  sessionId: evaluation.sessionId ?? null,
  evaluatorSlug: evaluation.evaluatorSlug,
  evaluatorVersion: evaluation.evaluatorVersion,
  connectionId: evaluation.target?.connectionId ?? null,
  model: evaluation.target?.model ?? null,
  // Until its score is stored, it counts as running.
  status: evaluation.status === 'judged' ? 'running' : evaluation.status,
  attempts: evaluation.attempts,
  problem: evaluation.problem ?? null,
  value: evaluation.value ?? null,
  comment: evaluation.comment ?? null,
  cost: evaluation.cost ?? null,
  inputTokens: evaluation.inputTokens ?? null,
  outputTokens: evaluation.outputTokens ?? null,
  judgeTraceId: evaluation.judgeTraceId ?? null,
  dueAt: evaluation.status === 'waiting' ? evaluation.dueAt.toISOString() : null,
  deadlineAt: evaluation.deadlineAt.toISOString(),
  createdAt: evaluation.createdAt.toISOString(),
  changedAt: evaluation.changedAt.toISOString(),
})
