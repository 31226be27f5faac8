import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { create } from './create.ts'
import { delete as remove } from './delete.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { update } from './update.ts'

export const dashboardRoutes: Route[] = [
  route(operations.dashboards.list, list),
  route(operations.dashboards.get, get),
  route(operations.dashboards.create, create),
  route(operations.dashboards.update, update),
  route(operations.dashboards.delete, remove),
]
