import { operations } from '@plumbline/contract'
import type { TraceStore } from '@plumbline/storage/traces'
import type { RefusedRecords } from '../../ingest/monitor/refused-records.ts'
import { type Route, route } from '../../requests/verb.ts'
import type { Deleting } from '../deletions/deleting.ts'
import { makeCreate } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { makePreview } from './preview.ts'

export const erasureRoutes = (
  traceStore: TraceStore,
  refusedRecords: RefusedRecords,
  deletionService: Deleting,
): Route[] => [
  route(operations.erasures.preview, makePreview(traceStore, refusedRecords)),
  route(operations.erasures.create, makeCreate(traceStore, deletionService)),
  route(operations.erasures.list, list),
  route(operations.erasures.get, get),
]
