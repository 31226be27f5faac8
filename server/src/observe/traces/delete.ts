import { type operations, ServiceError } from '@plumbline/contract'
import type { Deletion } from '@plumbline/storage/control'
import type { Context, Verb } from '../../requests/verb.ts'
import { findTrace } from '../../traces/find.ts'

interface DeletionRequest {
  readonly type: 'traces'
  readonly selection: object
  readonly expected: number
  readonly hashParts: readonly string[]
}

/** The job that deletes traces, and how a request waits for it. */
interface Deleting {
  request(request: DeletionRequest, context: Context): Promise<Deletion>
  deleted(deletion: Deletion): Promise<void>
}

/** Responds once the trace is deleted. While the trace store is away, it responds before: the job then deletes it later. */
export const makeDelete =
  (deletionService: Deleting): Verb<typeof operations.traces.delete> =>
  async ({ id }, context) => {
    const storedTrace = await findTrace(id.toLowerCase(), context.workspace)
    if (storedTrace === undefined) throw new ServiceError('trace_not_found', { id })
    const selection = { ids: [storedTrace.trace.traceId] }
    const request = {
      type: 'traces',
      selection,
      expected: 1,
      hashParts: [JSON.stringify(selection)],
    } as const
    await deletionService.deleted(await deletionService.request(request, context))
    return undefined
  }
