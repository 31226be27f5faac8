import { operations } from '@plumbline/contract'
import { type Route, route } from '../verb.ts'
import { add } from './add.ts'
import { create } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { update } from './update.ts'

export const datasetRoutes: Route[] = [
  route(operations.datasets.list, list),
  route(operations.datasets.get, get),
  route(operations.datasets.create, create),
  route(operations.datasets.update, update),
  route(operations.datasets.add, add),
]
