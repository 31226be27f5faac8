import { latestRevisions, type StoredTrace } from '@plumbline/storage/traces'
import type { Workspace } from '../../workspace/workspace.ts'

const otelTraceId = /^[0-9a-f]{32}$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Finds a trace with its logs and scores in the spool or in the trace store. It reads the spool first, since a trace
 * leaves the spool only once the store has it. An OpenTelemetry trace is also found by its OpenTelemetry id.
 */
export async function findTrace(
  requestedId: string,
  { recorder, traces }: Workspace,
): Promise<StoredTrace | undefined> {
  const id = otelTraceId.test(requestedId) ? ((await traces.idOf(requestedId)) ?? '') : requestedId
  if (!uuid.test(id)) return undefined
  // Read before the store: otherwise both would miss a score that reaches the store in between.
  const pending = recorder.pendingScores(id)
  const recorded = await recorder.findPending(id)
  const stored = await (recorded === undefined ? traces.find(id) : undefined)
  if (recorded === undefined && stored === undefined) return undefined
  const { trace, logs, scores } = stored ?? { ...recorded!, scores: [] }
  const all = latestRevisions([...scores, ...pending])
  return { trace, logs, scores: all.sort((a, b) => (a.scoreId < b.scoreId ? -1 : 1)) }
}
