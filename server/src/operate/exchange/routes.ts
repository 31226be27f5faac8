import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { export as exportWorkspace } from './export.ts'
import { makeImport } from './import.ts'
import type { BundleLimits } from './lines.ts'

export const exchangeRoutes = (limits: BundleLimits): Route[] => [
  route(operations.exchange.export, exportWorkspace),
  route(operations.exchange.import, makeImport(limits)),
]
