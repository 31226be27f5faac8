import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { create } from './create.ts'
import { delete as remove } from './delete.ts'
import { find } from './find.ts'
import { list } from './list.ts'

export const priceRoutes: Route[] = [
  route(operations.prices.find, find),
  route(operations.prices.list, list),
  route(operations.prices.create, create),
  route(operations.prices.delete, remove),
]
