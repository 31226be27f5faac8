import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { log } from './log.ts'
import { trace } from './trace.ts'

export const monitorRoutes: Route[] = [
  route(operations.monitor.trace, trace),
  route(operations.monitor.log, log),
]
