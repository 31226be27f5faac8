import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { get } from './get.ts'
import { list } from './list.ts'

export const logRoutes: Route[] = [route(operations.logs.list, list), route(operations.logs.get, get)]
