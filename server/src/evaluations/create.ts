import { invalid, type operations, ServiceError } from '@plumbline/contract'
import type { EvaluationQueue } from '@plumbline/storage/control'
import type { Verb } from '../verb.ts'
import type { Workspace } from '../workspace.ts'
import { newEvaluation } from './enqueue.ts'
import { deadlineMs } from './pace.ts'

/** `wake` says that something is due. */
export const makeCreate =
  (queue: Pick<EvaluationQueue, 'add'>, wake: () => void): Verb<typeof operations.evaluations.create> =>
  async ({ evaluatorSlug, traceIds }, { workspace, now }) => {
    const evaluator = await workspace.catalogue.evaluator(evaluatorSlug)
    if (evaluator === undefined) throw new ServiceError('evaluator_not_found', { slug: evaluatorSlug })
    if (evaluator.kind === 'human') throw invalid('evaluatorSlug', 'must not name one that people judge by')
    const ids = [...new Set(traceIds.map((id) => id.toLowerCase()))]
    await checkThere(ids, workspace)
    const reference = { logId: undefined, evaluatorSlug, digest: '' }
    const added = ids.map((traceId) =>
      newEvaluation({ workspaceId: workspace.id, traceId }, reference, evaluator),
    )
    const created = await queue.add(added, { now, deadlineAt: new Date(now.getTime() + deadlineMs) })
    if (created > 0) wake()
    return { created, existing: ids.length - created }
  }

/** A trace that was just recorded is waited for, since it is judged as it is in the trace store. */
async function checkThere(ids: readonly string[], { traces, settle }: Workspace): Promise<void> {
  const isMissing = async (): Promise<string | undefined> => {
    const there = await traces.existing(ids)
    return ids.find((id) => !there.has(id))
  }
  const missing = (await isMissing()) && (await settle().then(isMissing))
  if (missing !== undefined) throw new ServiceError('trace_not_found', { id: missing })
}
