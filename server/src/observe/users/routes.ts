import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { list } from './list.ts'

export const userRoutes: Route[] = [route(operations.users.list, list)]
