import { operations } from '@plumbline/contract'
import { type Route, route } from '../verb.ts'
import { export as exportTraces } from './export.ts'
import { get } from './get.ts'
import { list } from './list.ts'

export const traceRoutes: Route[] = [
  route(operations.traces.list, list),
  route(operations.traces.get, get),
  route(operations.traces.export, exportTraces),
]
