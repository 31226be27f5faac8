import { operations } from '@plumbline/contract'
import { type Route, route } from '../verb.ts'
import { create } from './create.ts'
import { list } from './list.ts'

export const evaluatorRoutes: Route[] = [
  route(operations.evaluators.list, list),
  route(operations.evaluators.create, create),
]
