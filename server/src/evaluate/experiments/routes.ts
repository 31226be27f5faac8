import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { makeAttach } from './attach.ts'
import { compare } from './compare.ts'
import { create } from './create.ts'
import { delete as remove } from './delete.ts'
import { get } from './get.ts'
import type { Joining } from './joining.ts'
import { judging } from './judging.ts'
import { list } from './list.ts'
import { update } from './update.ts'

export const experimentRoutes = (joins: Pick<Joining, 'join'>): Route[] => [
  route(operations.experiments.list, list),
  route(operations.experiments.get, get),
  route(operations.experiments.create, create),
  route(operations.experiments.update, update),
  route(operations.experiments.delete, remove),
  route(operations.experiments.compare, compare),
  route(operations.experiments.attach, makeAttach(joins)),
  route(operations.experiments.judging, judging),
]
