import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { create } from './create.ts'
import { delete as remove } from './delete.ts'
import { list } from './list.ts'
import { update } from './update.ts'

export const viewRoutes: Route[] = [
  route(operations.views.list, list),
  route(operations.views.create, create),
  route(operations.views.update, update),
  route(operations.views.delete, remove),
]
