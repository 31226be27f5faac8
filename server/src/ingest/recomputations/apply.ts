import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import type { Recomputing } from './recomputing.ts'
import { findRecomputation, toRecomputationView } from './view.ts'

/** Queues the application of compared costs. */
export const apply =
  (recomputation: Recomputing): Verb<typeof operations.recomputations.apply> =>
  async ({ id }, { workspace }) => {
    const { status } = await findRecomputation(workspace, id)
    if (!(await workspace.recomputations.startApplying(id)))
      throw new ServiceError('recomputation_not_compared', { status })
    const storedRecomputation = await findRecomputation(workspace, id)
    await recomputation.enqueue(storedRecomputation)
    return { recomputation: toRecomputationView(storedRecomputation) }
  }
