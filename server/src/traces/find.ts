import { lastGiven, type StoredTrace } from '@plumbline/storage/traces'
import type { Workspace } from '../workspace.ts'

const otelTraceId = /^[0-9a-f]{32}$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * One trace with its logs and scores, wherever it is: in the spool from the moment it was acknowledged, in the
 * trace store soon after. The spool is asked first, since a trace leaves it only once the store has it. A trace of
 * OpenTelemetry is also found by its id there.
 */
export async function findTrace(
  requestedId: string,
  { recorder, traces }: Workspace,
): Promise<StoredTrace | undefined> {
  const id = otelTraceId.test(requestedId) ? ((await traces.idOf(requestedId)) ?? '') : requestedId
  if (!uuid.test(id)) return undefined
  // Taken before the store is asked: a score that reaches the store meanwhile must not be missed by both.
  const pending = recorder.pendingScores(id)
  const recorded = await recorder.findPending(id)
  const stored = await (recorded === undefined ? traces.find(id) : undefined)
  if (recorded === undefined && stored === undefined) return undefined
  const { trace, logs, scores } = stored ?? { ...recorded!, scores: [] }
  const all = lastGiven([...scores, ...pending])
  return { trace, logs, scores: all.sort((a, b) => (a.scoreId < b.scoreId ? -1 : 1)) }
}
