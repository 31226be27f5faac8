import type { operations } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { readAuditFilters, toAuditEntry } from './view.ts'

const listName = 'audit entries'

export const list: Verb<typeof operations.audit.list> = async (
  { limit = 50, cursor, ...filters },
  { workspace },
) => {
  const after = readPageKey(listName, cursor)
  const page = { ...readAuditFilters(filters), limit, ...(after === undefined ? {} : { after }) }
  const { items, next } = await workspace.auditEntries.list(page)
  return { entries: items.map(toAuditEntry), ...nextCursorOf(listName, next) }
}
