import { type operations, ServiceError } from '@plumbline/contract'
import type { Deleting } from '../../operate/deletions/deleting.ts'
import type { Verb } from '../../requests/verb.ts'
import { findTrace } from './find.ts'

/** One trace is gone when the request is answered, unless the trace store is away: then it goes once that is back. */
export const makeDelete =
  (deleting: Deleting): Verb<typeof operations.traces.delete> =>
  async ({ id }, context) => {
    const stored = await findTrace(id.toLowerCase(), context.workspace)
    if (stored === undefined) throw new ServiceError('trace_not_found', { id })
    const selection = { ids: [stored.trace.traceId] }
    const request = { type: 'traces', selection, expected: 1, hashed: [JSON.stringify(selection)] } as const
    await deleting.deleted(await deleting.request(request, context))
    return undefined
  }
