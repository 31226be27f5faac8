import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { query } from './query.ts'

export const metricsRoutes: Route[] = [route(operations.metrics.query, query)]
