/** Puts sampled traces into the queue of evaluations. */
import type { EvaluationQueue, NewEvaluation } from '@plumbline/storage/control'
import type { Catalogue, CataloguedEvaluator } from '../catalogue.ts'
import { evaluationId } from './evaluation-id.ts'
import type { JudgedReference, SampledTrace } from './judged-references.ts'
import { deadlineMs } from './pace.ts'

interface EnqueueParts {
  readonly queue: Pick<EvaluationQueue, 'add'>
  readonly catalogueOf: (workspaceId: string) => Pick<Catalogue, 'evaluator'>
  readonly now: () => Date
}

/** Adds what is to be judged of some traces; gives how much of it was not there yet. */
export type Enqueue = (sampled: readonly SampledTrace[]) => Promise<number>

export const makeEnqueue =
  ({ queue, catalogueOf, now }: EnqueueParts): Enqueue =>
  async (sampled) => {
    const added: NewEvaluation[] = []
    for (const trace of sampled) {
      const catalogue = catalogueOf(trace.workspaceId)
      for (const reference of trace.references) {
        const evaluator = await catalogue.evaluator(reference.evaluatorSlug)
        // What is unknown was warned of when the trace came, and people judge in their own time.
        if (evaluator !== undefined && evaluator.kind !== 'human')
          added.push(newEvaluation(trace, reference, evaluator))
      }
    }
    const at = now()
    return queue.add(added, { now: at, deadlineAt: new Date(at.getTime() + deadlineMs) })
  }

/** What is asked for: the same trace, log, evaluator and version are the same evaluation. */
export function newEvaluation(
  { workspaceId, traceId }: Pick<SampledTrace, 'workspaceId' | 'traceId'>,
  { logId, evaluatorSlug, digest }: JudgedReference,
  { version: evaluatorVersion, asked }: Pick<CataloguedEvaluator, 'version' | 'asked'>,
): NewEvaluation {
  const of = { workspaceId, traceId, logId, evaluatorSlug, evaluatorVersion }
  return { id: evaluationId({ ...of, digest }), ...of, asked }
}
