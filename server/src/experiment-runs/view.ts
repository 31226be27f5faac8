import type { ExperimentCase, ExperimentRun, ExperimentTarget } from '@plumbline/contract'
import type {
  CaseCounts,
  ExperimentCase as StoredCase,
  ExperimentRun as StoredRun,
} from '@plumbline/storage/control'

/** A run as the interface shows it. */
export const toRun = (of: StoredRun, counts: CaseCounts, now: Date): ExperimentRun => {
  const isHeld = of.status === 'running' && of.heldUntil > now
  return {
    id: of.id,
    experimentId: of.experimentId,
    datasetSlug: of.datasetSlug,
    // Safe: the contract's schema let only such objects in.
    target: JSON.parse(of.target) as ExperimentTarget,
    evaluatorSlugs: of.evaluatorSlugs,
    repetitions: of.repetitions,
    concurrency: of.concurrency,
    spendMax: of.spendMax ?? null,
    rowCount: of.rowCount,
    status: of.status,
    counts,
    cost: of.cost,
    problem: isHeld ? (of.problem ?? null) : null,
    until: isHeld ? of.heldUntil.toISOString() : null,
    createdAt: of.createdAt.toISOString(),
    endedAt: of.endedAt?.toISOString() ?? null,
  }
}

/** A case as the interface shows it. */
export const toCase = (of: StoredCase): ExperimentCase => ({
  datasetRowId: of.rowId,
  row: of.position,
  repetition: of.repetition,
  status: of.status,
  attempts: of.attempts,
  problem: of.problem ?? null,
  traceId: of.traceId ?? null,
  cost: of.cost ?? null,
  durationMs: of.durationMs ?? null,
  dueAt: of.status === 'waiting' ? of.dueAt.toISOString() : null,
  changedAt: of.changedAt.toISOString(),
})
