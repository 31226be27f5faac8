import { mkdirSync } from 'node:fs'
import { openClients, type TraceStorePlace } from './clients.ts'
import { countFacets } from './facets.ts'
import { existingTraces, findTrace, traceExists } from './find.ts'
import { countOverTime, startsOf } from './histogram.ts'
import { insertBatch } from './insert.ts'
import { listTraces } from './list.ts'
import { measure } from './metrics.ts'
import { migrate } from './migrate.ts'
import { rankTrace } from './percentiles.ts'
import { snapshotFolder } from './snapshot.ts'
import { listSorted } from './sorted-list.ts'
import { readStatistics } from './statistics.ts'
import type { TraceStore } from './store.ts'
import { walkTraces } from './walk.ts'

/** Connects, brings the tables up to date, and answers once the store can be used. */
export async function openTraceStore(place: TraceStorePlace): Promise<TraceStore> {
  if ('folder' in place) mkdirSync(place.folder, { recursive: true })
  const clients = openClients(place)
  try {
    await migrate(clients, { isOurs: 'folder' in place })
  } catch (error) {
    await clients.close()
    throw error
  }
  const counts = { inserts: 0, rowsInserted: 0, refusedLines: 0 }
  return {
    async insert(batch) {
      const result = await insertBatch(clients, batch)
      counts.inserts += 1
      counts.rowsInserted +=
        rowsIn(batch.traces) + rowsIn(batch.logs) + rowsIn(batch.scores) - result.refused.length
      counts.refusedLines += result.refused.length
      return result
    },
    scopedTo: (workspaceId) => ({
      find: (traceId) => findTrace(clients, workspaceId, traceId),
      exists: (traceId, logId) => traceExists(clients, workspaceId, traceId, logId),
      list: (filters, page) => listTraces(clients, workspaceId, filters, page),
      listSorted: (filters, page) => listSorted(clients, workspaceId, filters, page),
      facets: (filters, asked) => countFacets(clients, workspaceId, filters, asked),
      starts: (filters) => startsOf(clients, workspaceId, filters),
      histogram: (filters, widthUs) => countOverTime(clients, workspaceId, filters, widthUs),
      rank: (among, values) => rankTrace(clients, workspaceId, among, values),
      walk: (filters) => walkTraces(clients, workspaceId, filters),
      existing: (traceIds) => existingTraces(clients, workspaceId, traceIds),
      measure: (query) => measure(clients, workspaceId, query),
    }),
    ping: () => clients.ping(),
    async rest() {
      if ('folder' in place) await clients.command('SYSTEM JEMALLOC PURGE')
    },
    statistics: async () => ({ ...counts, ...(await readStatistics(clients)) }),
    async snapshot(target) {
      if ('folder' in place) await snapshotFolder(clients, place.folder, target)
      return 'folder' in place
    },
    close: () => clients.close(),
  }
}

function rowsIn(ndjson: Buffer): number {
  let rows = 0
  for (let at = ndjson.indexOf(0x0a); at !== -1; at = ndjson.indexOf(0x0a, at + 1)) rows += 1
  return rows
}
