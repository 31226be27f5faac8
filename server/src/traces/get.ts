import { type operations, ServiceError } from '@plumbline/contract'
import { toEvaluation } from '../evaluations/view.ts'
import type { Verb } from '../verb.ts'
import { findTrace } from './find.ts'
import { toStoredTrace } from './view.ts'

/** A trace is judged by few; what was made of it again and again as it grew is in `evaluations.list`. */
const evaluationsMax = 100

export const get: Verb<typeof operations.traces.get> = async ({ id }, { workspace, caller }) => {
  const stored = await findTrace(id.toLowerCase(), workspace)
  if (stored === undefined) throw new ServiceError('trace_not_found', { id })
  const { items } = await workspace.evaluations.list(
    { traceId: stored.trace.traceId },
    { limit: evaluationsMax },
  )
  return { trace: toStoredTrace(stored, caller.id), evaluations: items.map(toEvaluation) }
}
