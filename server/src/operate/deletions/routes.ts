import { operations } from '@plumbline/contract'
import type { TraceStore } from '@plumbline/storage/traces'
import { makeDelete } from '../../observe/traces/delete.ts'
import { type Route, route } from '../../requests/verb.ts'
import { makeCreate } from './create.ts'
import type { Deleting } from './deleting.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { makePreview } from './preview.ts'

export const deletionRoutes = (traceStore: TraceStore, deletionService: Deleting): Route[] => [
  route(operations.traces.delete, makeDelete(deletionService)),
  route(operations.deletions.preview, makePreview(traceStore)),
  route(operations.deletions.create, makeCreate(deletionService)),
  route(operations.deletions.list, list),
  route(operations.deletions.get, get),
]
