import type { operations } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { toAlertEvent } from './view.ts'

export const history: Verb<typeof operations.alerts.history> = async (
  { alertId, limit = 50, cursor },
  { workspace },
) => {
  const after = readPageKey('alert history', cursor)
  const page = { limit, ...(after === undefined ? {} : { after }) }
  const { items, next } = await workspace.alertEvents.list(alertId, page)
  return { events: items.map(toAlertEvent), ...nextCursorOf('alert history', next) }
}
