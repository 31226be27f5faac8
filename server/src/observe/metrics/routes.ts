import { operations } from '@plumbline/contract'
import { type Route, route } from '../../verb.ts'
import { query } from './query.ts'

export const metricsRoutes: Route[] = [route(operations.metrics.query, query)]
