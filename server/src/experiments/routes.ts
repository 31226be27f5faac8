import { operations } from '@plumbline/contract'
import { type Route, route } from '../verb.ts'
import { create } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'

export const experimentRoutes: Route[] = [
  route(operations.experiments.list, list),
  route(operations.experiments.get, get),
  route(operations.experiments.create, create),
]
