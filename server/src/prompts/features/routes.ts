import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { create } from './create.ts'
import { delete as remove } from './delete.ts'
import { list } from './list.ts'

export const featureRoutes: Route[] = [
  route(operations.features.list, list),
  route(operations.features.create, create),
  route(operations.features.delete, remove),
]
