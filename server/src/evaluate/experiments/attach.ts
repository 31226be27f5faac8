import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { type Joining, TracesMissing } from './joining.ts'

export const makeAttach =
  (joins: Pick<Joining, 'join'>): Verb<typeof operations.experiments.attach> =>
  async ({ id, traceIds }, { workspace }) => {
    if ((await workspace.experiments.find(id)) === undefined)
      throw new ServiceError('experiment_not_found', { id })
    try {
      const { elsewhere, ...counts } = await joins.join(
        workspace,
        id,
        traceIds.map((traceId) => ({ traceId })),
      )
      return { ...counts, elsewhere: [...elsewhere] }
    } catch (error) {
      if (error instanceof TracesMissing) throw new ServiceError('trace_not_found', { id: error.ids[0]! })
      throw error
    }
  }
