import { operations } from '@plumbline/contract'
import type { TraceStore } from '@plumbline/storage/traces'
import { type Route, route } from '../../requests/verb.ts'
import { get } from './get.ts'
import { makePreview } from './preview.ts'
import { update } from './update.ts'

export const retentionRoutes = (traceStore: TraceStore): Route[] => [
  route(operations.retention.get, get),
  route(operations.retention.preview, makePreview(traceStore)),
  route(operations.retention.update, update),
]
