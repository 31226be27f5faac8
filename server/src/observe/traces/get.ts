import { type operations, ServiceError } from '@plumbline/contract'
import { type StoredTrace, TraceStoreUnavailable } from '@plumbline/storage/traces'
import { toEvaluation } from '../../evaluate/evaluations/view.ts'
import type { Verb } from '../../requests/verb.ts'
import { findTrace } from '../../traces/find.ts'
import { toStoredTrace } from '../../traces/view.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Traces have few evaluations; `evaluations.list` has all of those of a trace that grew. */
const evaluationsMax = 100

export const get: Verb<typeof operations.traces.get> = async ({ id }, { workspace, caller }) => {
  const stored = await findTrace(id.toLowerCase(), workspace)
  if (stored === undefined) throw new ServiceError('trace_not_found', { id })
  const { traceId } = stored.trace
  const [{ items }, linkedTraces] = await Promise.all([
    workspace.evaluations.list({ traceId }, { limit: evaluationsMax }),
    isOfSpans(stored) ? linkedTo(traceId, workspace) : [],
  ])
  return { trace: toStoredTrace(stored, caller.id), evaluations: items.map(toEvaluation), linkedTraces }
}

/** A log of a span has the span in its metadata; other traces need no question to the trace store. */
const isOfSpans = ({ logs }: StoredTrace): boolean =>
  logs.some(({ metadata }) => metadata?.includes('"otel"') === true)

/** The other traces of the same OpenTelemetry trace; none while the trace store is away, as the trace may be read without it. */
async function linkedTo(traceId: string, { traces }: Workspace): Promise<{ id: string; name: string }[]> {
  try {
    const otelTraceId = (await traces.otelIdsOf([traceId])).get(traceId)
    if (otelTraceId === undefined) return []
    const linked = await traces.linkedTraces(otelTraceId)
    return linked.filter((trace) => trace.traceId !== traceId).map(({ traceId: id, name }) => ({ id, name }))
  } catch (error) {
    if (error instanceof TraceStoreUnavailable) return []
    throw error
  }
}
