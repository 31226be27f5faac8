import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import type { PriceLists } from '../prices/price-lists.ts'
import { apply } from './apply.ts'
import { create } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import type { Recomputing } from './recomputing.ts'

export const recomputationRoutes = (priceLists: PriceLists, recomputation: Recomputing): Route[] => [
  route(operations.recomputations.create, create(priceLists, recomputation)),
  route(operations.recomputations.list, list),
  route(operations.recomputations.get, get),
  route(operations.recomputations.apply, apply(recomputation)),
]
