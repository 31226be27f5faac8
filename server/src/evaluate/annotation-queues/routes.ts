import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { add } from './add.ts'
import { agreement } from './agreement.ts'
import { create } from './create.ts'
import { delete as deleteQueue } from './delete.ts'
import { get } from './get.ts'
import { items } from './items.ts'
import { list } from './list.ts'
import { next } from './next.ts'
import { remove } from './remove.ts'
import { skip } from './skip.ts'
import { submit } from './submit.ts'
import { undo } from './undo.ts'
import { update } from './update.ts'

export const annotationQueueRoutes: Route[] = [
  route(operations.annotationQueues.list, list),
  route(operations.annotationQueues.get, get),
  route(operations.annotationQueues.create, create),
  route(operations.annotationQueues.update, update),
  route(operations.annotationQueues.delete, deleteQueue),
  route(operations.annotationQueues.add, add),
  route(operations.annotationQueues.remove, remove),
  route(operations.annotationQueues.items, items),
  route(operations.annotationQueues.next, next),
  route(operations.annotationQueues.submit, submit),
  route(operations.annotationQueues.skip, skip),
  route(operations.annotationQueues.undo, undo),
  route(operations.annotationQueues.agreement, agreement),
]
