/** Shared by the suites of the trace store, which run on either engine from separate test files. */
import type { MetricsQuery, MetricsRow } from '../metrics/metric-types.ts'
import type { TraceStore, WorkspaceTraces } from '../store.ts'
import type { InsertResult, TraceFilters } from '../types.ts'
import { batchOf, type Records } from './testing.ts'

/** Operations of a suite on the store that is open when its tests run. */
export interface SuiteStore {
  insert(records: Records, token?: string): Promise<InsertResult>
  read(workspaceId: string): WorkspaceTraces
  /** The ids of the first matching traces. */
  listed(workspaceId: string, filters: TraceFilters): Promise<string[]>
  measured(
    workspaceId: string,
    query: Partial<MetricsQuery> & Pick<MetricsQuery, 'measures'>,
  ): Promise<MetricsRow[]>
}

export const suiteStore = (current: () => TraceStore): SuiteStore => ({
  insert: (records, token) => current().insert(batchOf(records, token)),
  read: (workspaceId) => current().scopedTo(workspaceId),
  async listed(workspaceId, filters) {
    const { traces } = await current().scopedTo(workspaceId).list(filters, { limit: 100 })
    return traces.map(({ traceId }) => traceId)
  },
  measured: (workspaceId, query) =>
    current()
      .scopedTo(workspaceId)
      .measure({ dimensions: [], filters: {}, ...query }),
})
