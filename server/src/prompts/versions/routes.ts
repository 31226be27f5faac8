import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { create } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'

export const versionRoutes: Route[] = [
  route(operations.versions.list, list),
  route(operations.versions.create, create),
  route(operations.versions.get, get),
]
