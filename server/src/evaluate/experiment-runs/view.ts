import type { ExperimentCase, ExperimentRun, ExperimentTarget } from '@plumbline/contract'
import type {
  CaseCounts,
  ExperimentCase as StoredCase,
  ExperimentRun as StoredRun,
} from '@plumbline/storage/control'

/** A run as the interface shows it. */
export const toRun = (run: StoredRun, counts: CaseCounts, now: Date): ExperimentRun => {
  const isHeld = run.status === 'running' && run.heldUntil > now
  return {
    id: run.id,
    experimentId: run.experimentId,
    datasetSlug: run.datasetSlug,
    datasetVersion: run.datasetVersion ?? null,
    split: run.split ?? null,
    label: run.label ?? null,
    // Safe: the contract's schema admits only such objects.
    target: JSON.parse(run.target) as ExperimentTarget,
    evaluatorSlugs: run.evaluatorSlugs,
    repetitions: run.repetitions,
    concurrency: run.concurrency,
    spendMax: run.spendMax ?? null,
    rowCount: run.rowCount,
    status: run.status,
    counts,
    cost: run.cost,
    problem: isHeld ? (run.problem ?? null) : null,
    until: isHeld ? run.heldUntil.toISOString() : null,
    createdAt: run.createdAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
  }
}

/** A case as the interface shows it. */
export const toCase = (experimentCase: StoredCase): ExperimentCase => ({
  datasetRowId: experimentCase.rowId,
  row: experimentCase.position,
  repetition: experimentCase.repetition,
  status: experimentCase.status,
  attempts: experimentCase.attempts,
  problem: experimentCase.problem ?? null,
  traceId: experimentCase.traceId ?? null,
  cost: experimentCase.cost ?? null,
  durationMs: experimentCase.durationMs ?? null,
  dueAt: experimentCase.status === 'waiting' ? experimentCase.dueAt.toISOString() : null,
  changedAt: experimentCase.changedAt.toISOString(),
})
