/** Data that is read along with a trace: its evaluations, and the other traces of the same OpenTelemetry trace. */
import type { OutputOf, operations } from '@plumbline/contract'
import { ControlStoreAway } from '@plumbline/storage/control'
import { type LogRow, TraceStoreUnavailable } from '@plumbline/storage/traces'
import { toEvaluation } from '../../evaluate/evaluations/view.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Traces have few evaluations; `evaluations.list` returns all evaluations of a trace that grew. */
const evaluationsMax = 100

/** `logs` are the logs of the trace, as far as they were read. */
export async function readBeside(
  traceId: string,
  logs: readonly LogRow[] | undefined,
  workspace: Workspace,
): Promise<Pick<OutputOf<typeof operations.traces.get>, 'evaluations' | 'linkedTraces'>> {
  const [evaluations, linkedTraces] = await Promise.all([
    evaluationsOf(traceId, workspace),
    logs === undefined || isOfSpans(logs) ? findLinked(traceId, workspace) : [],
  ])
  return { evaluations, linkedTraces }
}

/** Empty while the control plane is away, since the trace can be read without it. */
async function evaluationsOf(traceId: string, { evaluations }: Workspace) {
  try {
    return (await evaluations.list({ traceId }, { limit: evaluationsMax })).items.map(toEvaluation)
  } catch (error) {
    if (error instanceof ControlStoreAway) return []
    throw error
  }
}

/** Whether the logs were made from spans, which their metadata contains; other traces need no query for linked ones. */
const isOfSpans = (logs: readonly LogRow[]): boolean =>
  logs.some(({ metadata }) => metadata?.includes('"otel"') === true)

/** The other traces of the same OpenTelemetry trace; empty while the trace store is away, since the trace can be read anyway. */
async function findLinked(traceId: string, { traces }: Workspace): Promise<{ id: string; name: string }[]> {
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
