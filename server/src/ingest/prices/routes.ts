import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { create } from './create.ts'
import { delete as remove } from './delete.ts'
import { find } from './find.ts'
import { list } from './list.ts'
import { lists } from './lists.ts'
import type { PriceLists } from './price-lists.ts'
import { update } from './update.ts'

export const priceRoutes = (priceLists: PriceLists): Route[] => [
  route(operations.prices.find, find),
  route(operations.prices.list, list),
  route(operations.prices.create, create),
  route(operations.prices.delete, remove),
  route(operations.prices.lists, lists(priceLists)),
  route(operations.prices.update, update(priceLists)),
]
