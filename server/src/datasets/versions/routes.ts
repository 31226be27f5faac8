import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { compare } from './compare.ts'
import { create } from './create.ts'
import { list } from './list.ts'
import { restore } from './restore.ts'

export const datasetVersionRoutes: Route[] = [
  route(operations.datasetVersions.list, list),
  route(operations.datasetVersions.create, create),
  route(operations.datasetVersions.compare, compare),
  route(operations.datasetVersions.restore, restore),
]
