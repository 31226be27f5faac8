import { operations } from '@plumbline/contract'
import type { AuditLog } from '@plumbline/storage/control'
import { type Route, route } from '../../requests/verb.ts'
import { configure } from './configure.ts'
import { makeEverywhere } from './everywhere.ts'
import { export as exportEntries } from './export.ts'
import { list } from './list.ts'
import { settings } from './settings.ts'

export const auditRoutes = (log: Pick<AuditLog, 'list'>): Route[] => [
  route(operations.audit.list, list),
  route(operations.audit.everywhere, makeEverywhere(log)),
  route(operations.audit.export, exportEntries),
  route(operations.audit.settings, settings),
  route(operations.audit.configure, configure),
]
