import { uuidV7Pattern } from '@plumbline/contract/uuids'
import { findTrace } from '../traces/find.ts'
import type { Workspace } from '../workspace/workspace.ts'

/**
 * Finds a trace by the id that Langfuse's clients use, in the form of `otelTraceIdOf`: the OpenTelemetry id, or the digits of
 * our own id if the trace was recorded without spans.
 */
export async function findNamedTrace(
  otelTraceId: string,
  workspace: Workspace,
): ReturnType<typeof findTrace> {
  const otelTrace = await findTrace(otelTraceId, workspace)
  if (otelTrace !== undefined) return otelTrace
  const ownId = otelTraceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return uuidV7Pattern.test(ownId) ? findTrace(ownId, workspace) : undefined
}
