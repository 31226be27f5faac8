import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import { export as exportTraces } from './export.ts'
import { facets } from './facets.ts'
import { get } from './get.ts'
import { histogram } from './histogram.ts'
import { list } from './list.ts'
import { outline } from './outline.ts'
import { percentiles } from './percentiles.ts'

export const traceRoutes: Route[] = [
  route(operations.traces.list, list),
  route(operations.traces.get, get),
  route(operations.traces.outline, outline),
  route(operations.traces.facets, facets),
  route(operations.traces.histogram, histogram),
  route(operations.traces.percentiles, percentiles),
  route(operations.traces.export, exportTraces),
]
