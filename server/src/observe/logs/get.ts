import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { findLog } from '../../traces/outline.ts'
import { toStoredLog } from '../../traces/view.ts'

/** One log of a trace, with everything that was recorded of it. */
export const get: Verb<typeof operations.logs.get> = async ({ id, logId }, { workspace }) => {
  const result = await findLog(id.toLowerCase(), logId, workspace)
  if (result === undefined) throw new ServiceError('trace_not_found', { id })
  if (result.log === undefined) throw new ServiceError('log_not_found', { traceId: id, logId })
  return { log: toStoredLog(result.log) }
}
