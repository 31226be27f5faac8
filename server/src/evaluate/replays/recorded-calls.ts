/** The recorded calls of a prompt: real calls of applications, without tests. */
import { ServiceError, type StoredLog, type StoredTrace } from '@plumbline/contract'
import { findTrace } from '../../traces/find.ts'
import { toStoredTrace } from '../../traces/view.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export interface RecordedCall {
  readonly trace: StoredTrace
  readonly log: StoredLog
}

/** Some of the latest traces do not qualify: this many are read per call, so that the limit is usually reached anyway. */
const tracesPerCall = 4

/** The latest calls of a prompt, one per trace. */
export async function latestCalls(
  slug: string,
  limit: number,
  { traces }: Workspace,
): Promise<RecordedCall[]> {
  const page = await traces.list(
    { where: [{ field: 'prompt', is: [slug] }] },
    { limit: limit * tracesPerCall },
  )
  const calls: RecordedCall[] = []
  for (let start = 0; start < page.traces.length && calls.length < limit; start += limit) {
    const ids = page.traces.slice(start, start + limit).map(({ traceId }) => traceId)
    const storedTraces = await traces.findMany(ids)
    for (const id of ids) {
      const row = storedTraces.get(id)
      const call = row && callOf(toStoredTrace({ ...row, scores: [] }), slug)
      if (call !== undefined && !isTrial(call.trace)) calls.push(call)
    }
  }
  return calls.slice(0, limit)
}

/** The calls of the named traces; throws for a trace that does not exist or did not use the prompt. */
export async function namedCalls(
  slug: string,
  traceIds: readonly string[],
  workspace: Workspace,
): Promise<RecordedCall[]> {
  return Promise.all(
    traceIds.map(async (id) => {
      const storedTrace = await findTrace(id.toLowerCase(), workspace)
      const call = storedTrace && callOf(toStoredTrace(storedTrace), slug)
      if (call === undefined) throw new ServiceError('trace_not_found', { id })
      return call
    }),
  )
}

function callOf(trace: StoredTrace, slug: string): RecordedCall | undefined {
  const log = trace.logs.find(({ type, prompt }) => type === 'generation' && prompt?.slug === slug)
  return log && { trace, log }
}

const isTrial = ({ experiment, metadata }: StoredTrace): boolean =>
  experiment !== null || metadata?.source === 'playground'
