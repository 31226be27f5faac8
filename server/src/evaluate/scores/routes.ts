import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { create } from './create.ts'
import { delete as remove } from './delete.ts'
import { list } from './list.ts'
import { update } from './update.ts'

export const scoreRoutes: Route[] = [
  route(operations.scores.list, list),
  route(operations.scores.create, create),
  route(operations.scores.update, update),
  route(operations.scores.delete, remove),
]
