import { type operations, ServiceError } from '@plumbline/contract'
import { toEvaluation } from '../../evaluate/evaluations/view.ts'
import type { Verb } from '../../requests/verb.ts'
import { findTrace } from '../../traces/find.ts'
import { toStoredTrace } from '../../traces/view.ts'

/** Traces have few evaluations; `evaluations.list` has all of those of a trace that grew. */
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
