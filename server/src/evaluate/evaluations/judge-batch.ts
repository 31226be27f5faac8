/** Runs a batch of rule evaluations with bounded concurrency and time. */
import type { Evaluation, EvaluationUpdate } from '@plumbline/storage/control'

interface BatchDeps {
  readonly attempt: (evaluation: Evaluation) => Promise<EvaluationUpdate>
  readonly isStopped: () => boolean
}

/** Concurrent tasks for the rule thread. */
const concurrency = 5
/** After this time the rest goes back to the queue, so that other concurrency groups can run. */
const batchMsMax = 500

/** The outcome of each evaluation. Empty if the runner was stopped meanwhile: the evaluations then go back to the queue. */
export async function judgeBatch(
  evaluations: readonly Evaluation[],
  { attempt, isStopped }: BatchDeps,
): Promise<EvaluationUpdate[]> {
  const outcomes: EvaluationUpdate[] = []
  let endsAtMs = Infinity
  for (let start = 0; start < evaluations.length; start += concurrency) {
    if (isStopped()) return []
    const chunk = evaluations.slice(start, start + concurrency)
    if (performance.now() > endsAtMs) outcomes.push(...chunk.map(postpone))
    else outcomes.push(...(await Promise.all(chunk.map(attempt))))
    // The clock starts after the first chunk, which waited for the traces to be read.
    if (start === 0) endsAtMs = performance.now() + batchMsMax
  }
  return outcomes
}

/** Returns an evaluation to the queue, without charging an attempt. */
const postpone = (evaluation: Evaluation): EvaluationUpdate => ({
  evaluation,
  type: 'again',
  problem: evaluation.problem,
  dueAt: evaluation.createdAt,
  isCharged: false,
})
