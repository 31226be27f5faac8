import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { get } from './get.ts'
import { update } from './update.ts'

export const retentionRoutes: Route[] = [
  route(operations.retention.get, get),
  route(operations.retention.update, update),
]
