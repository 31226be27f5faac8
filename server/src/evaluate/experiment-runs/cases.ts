import { type operations, ServiceError } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { toCase } from './view.ts'

export const cases: Verb<typeof operations.experimentRuns.cases> = async (
  { id, status, limit = 100, cursor },
  { workspace },
) => {
  const after = readPageKey('cases', cursor)
  if ((await workspace.experimentRuns.find(id)) === undefined) throw new ServiceError('run_not_found', { id })
  const page = { limit, ...(after === undefined ? {} : { after }) }
  const { items, next } = await workspace.experimentRuns.cases({ runId: id, status }, page)
  return { cases: items.map(toCase), ...nextCursorOf('cases', next) }
}
