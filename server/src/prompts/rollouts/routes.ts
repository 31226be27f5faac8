import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { compare } from './compare.ts'
import { create } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { promote } from './promote.ts'
import { rollback } from './rollback.ts'
import { update } from './update.ts'

export const rolloutRoutes: Route[] = [
  route(operations.rollouts.list, list),
  route(operations.rollouts.get, get),
  route(operations.rollouts.create, create),
  route(operations.rollouts.update, update),
  route(operations.rollouts.promote, promote),
  route(operations.rollouts.rollback, rollback),
  route(operations.rollouts.compare, compare),
]
