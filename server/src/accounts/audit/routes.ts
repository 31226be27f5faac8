import { operations } from '@plumbline/contract'
import type { AuditLog } from '@plumbline/storage/control'
import { type Route, route } from '../../requests/verb.ts'
import { type ConfigureParts, makeConfigure } from './configure.ts'
import { makeEverywhere } from './everywhere.ts'
import { export as exportEntries } from './export.ts'
import { list } from './list.ts'
import { settings } from './settings.ts'

interface AuditRouteParts extends ConfigureParts {
  readonly log: Pick<AuditLog, 'list'>
}

export const auditRoutes = ({ log, ...parts }: AuditRouteParts): Route[] => [
  route(operations.audit.list, list),
  route(operations.audit.everywhere, makeEverywhere(log)),
  route(operations.audit.export, exportEntries),
  route(operations.audit.settings, settings),
  route(operations.audit.configure, makeConfigure(parts)),
]
