import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { get } from './get.ts'
import { list } from './list.ts'

export const conversationRoutes: Route[] = [
  route(operations.conversations.list, list),
  route(operations.conversations.get, get),
]
