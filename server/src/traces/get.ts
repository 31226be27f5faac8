import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../verb.ts'
import { findTrace } from './find.ts'
import { toStoredTrace } from './view.ts'

export const get: Verb<typeof operations.traces.get> = async ({ id }, { workspace }) => {
  const found = await findTrace(id.toLowerCase(), workspace)
  if (found === undefined) throw new ServiceError('trace_not_found', { id })
  return { trace: toStoredTrace(found) }
}
