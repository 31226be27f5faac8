import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { acknowledge } from './acknowledge.ts'
import { create } from './create.ts'
import { delete as remove } from './delete.ts'
import { list } from './list.ts'
import { mentions } from './mentions.ts'
import { update } from './update.ts'

export const commentRoutes: Route[] = [
  route(operations.comments.list, list),
  route(operations.comments.mentions, mentions),
  route(operations.comments.acknowledge, acknowledge),
  route(operations.comments.create, create),
  route(operations.comments.update, update),
  route(operations.comments.delete, remove),
]
