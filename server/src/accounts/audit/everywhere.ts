import type { operations } from '@plumbline/contract'
import type { AuditLog } from '@plumbline/storage/control'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { readAuditFilters, toAuditEntry } from './view.ts'

const listName = 'audit entries of all'
/** Selects the entries of the installation instead of a workspace's. */
const installation = 'installation'

export const makeEverywhere =
  (log: Pick<AuditLog, 'list'>): Verb<typeof operations.audit.everywhere> =>
  async ({ limit = 50, cursor, workspaceId, ...filters }) => {
    const after = readPageKey(listName, cursor)
    const page = { ...readAuditFilters(filters), limit, ...(after === undefined ? {} : { after }) }
    const { items, next } = await log.list(workspaceId === installation ? '' : workspaceId, page)
    return { entries: items.map(toAuditEntry), ...nextCursorOf(listName, next) }
  }
