import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { add } from './add.ts'
import { append } from './append.ts'
import { change } from './change.ts'
import { collect } from './collect.ts'
import { create } from './create.ts'
import { delete as remove } from './delete.ts'
import { discard } from './discard.ts'
import { export as exportRows } from './export.ts'
import { facets } from './facets.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { rows } from './rows.ts'
import { update } from './update.ts'

export const datasetRoutes: Route[] = [
  route(operations.datasets.list, list),
  route(operations.datasets.get, get),
  route(operations.datasets.create, create),
  route(operations.datasets.update, update),
  route(operations.datasets.add, add),
  route(operations.datasets.export, exportRows),
  route(operations.datasets.facets, facets),
  route(operations.datasets.delete, remove),
  route(operations.datasets.rows, rows),
  route(operations.datasets.append, append),
  route(operations.datasets.collect, collect),
  route(operations.datasets.change, change),
  route(operations.datasets.discard, discard),
]
