import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { explain } from './explain.ts'
import { query } from './query.ts'

export const metricsRoutes: Route[] = [
  route(operations.metrics.query, query),
  route(operations.metrics.explain, explain),
]
