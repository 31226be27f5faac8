import { operations } from '@plumbline/contract'
import { type Route, route } from '../verb.ts'
import { export as exportWorkspace } from './export.ts'
import { import as importBundle } from './import.ts'

export const exchangeRoutes: Route[] = [
  route(operations.exchange.export, exportWorkspace),
  route(operations.exchange.import, importBundle),
]
