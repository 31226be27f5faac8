import type { Evaluation } from '@plumbline/contract'
import type { Evaluation as StoredEvaluation } from '@plumbline/storage/control'

/** An evaluation as the interface shows it. */
export const toEvaluation = (of: StoredEvaluation): Evaluation => ({
  id: of.id,
  traceId: of.traceId,
  logId: of.logId ?? null,
  evaluatorSlug: of.evaluatorSlug,
  evaluatorVersion: of.evaluatorVersion,
  connectionId: of.asked?.connectionId ?? null,
  model: of.asked?.model ?? null,
  // One whose verdict is being stored has not given its score yet.
  status: of.status === 'judged' ? 'running' : of.status,
  attempts: of.attempts,
  problem: of.problem ?? null,
  value: of.value ?? null,
  comment: of.comment ?? null,
  cost: of.cost ?? null,
  inputTokens: of.inputTokens ?? null,
  outputTokens: of.outputTokens ?? null,
  dueAt: of.status === 'waiting' ? of.dueAt.toISOString() : null,
  deadlineAt: of.deadlineAt.toISOString(),
  createdAt: of.createdAt.toISOString(),
  changedAt: of.changedAt.toISOString(),
})
