import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { findTrace } from '../../traces/find.ts'
import { toStoredTrace } from '../../traces/view.ts'
import { readBeside } from './read-beside.ts'

export const get: Verb<typeof operations.traces.get> = async ({ id }, { workspace, caller }) => {
  const storedTrace = await findTrace(id.toLowerCase(), workspace)
  if (storedTrace === undefined) throw new ServiceError('trace_not_found', { id })
  return {
    trace: toStoredTrace(storedTrace, caller.id),
    ...(await readBeside(storedTrace.trace.traceId, storedTrace.logs, workspace)),
  }
}
