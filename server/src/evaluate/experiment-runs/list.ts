import type { operations } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { toRun } from './view.ts'

export const list: Verb<typeof operations.experimentRuns.list> = async (
  { experimentId, status, limit = 50, cursor },
  { workspace, now },
) => {
  const after = readPageKey('runs', cursor)
  const page = { limit, ...(after === undefined ? {} : { after }) }
  const { items, next } = await workspace.experimentRuns.list({ experimentId, status }, page)
  const counts = await workspace.experimentRuns.counts(items.map(({ id }) => id))
  return {
    runs: items.map((run) => toRun(run, counts.get(run.id)!, now)),
    ...nextCursorOf('runs', next),
  }
}
