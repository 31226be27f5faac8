import { mkdirSync } from 'node:fs'
import { removeOldBlockFiles } from './engine/block-files.ts'
import { type Clients, openClients, type TraceStoreLocation } from './engine/clients.ts'
import { refuseOtherTopology } from './engine/cluster.ts'
import { migrate, refuseNewer } from './engine/migrate.ts'
import { makeQuarantine, withoutRepair } from './engine/quarantine.ts'
import { snapshotFolder } from './engine/snapshot.ts'
import { readStatistics } from './engine/statistics.ts'
import { makeWriteGate } from './engine/write-gate.ts'
import { storedScores } from './read/find.ts'
import { keepLatestScores } from './read/scores.ts'
import { readSpanLines } from './read/span-rows.ts'
import { subjectRows } from './read/subject-rows.ts'
import { countScoresOfUser, countSelection, matchingIds } from './read/trace-selection.ts'
import { countRows } from './rows/row-block.ts'
import { scopeTo } from './scope.ts'
import { claimPlace, type ShardPlace } from './shards/shard-identity.ts'
import { joinShards } from './shards/sharded-store.ts'
import type { TraceStore } from './store.ts'
import type { DamagedPart, InsertBatch, InsertResult } from './types.ts'
import { changeCosts } from './write/change-costs.ts'
import { deleteScoresOfUser, deleteSlice, deleteSpans, nextTraces, planSlice } from './write/delete-traces.ts'
import { deleteWorkspace } from './write/delete-workspace.ts'
import { dropExpiredMonths } from './write/expire.ts'
import { insertBatch } from './write/insert.ts'
import { joinExperiment } from './write/join-experiment.ts'
import { countOldParts, removeOldParts, restoreLifetime } from './write/old-parts.ts'
import { beginPurge, engineTime, isPurging, sparsePartitions } from './write/purge.ts'
import { replaceTraces } from './write/replace.ts'

const noRows = Buffer.alloc(0)

interface TraceStoreOptions {
  /** Called with each damaged part when it is set aside. */
  readonly onDamage?: (part: DamagedPart) => void
  /** Called with each migration that was applied. */
  readonly onMigrated?: (name: string, tookMs: number) => void
}

/** Opens the store, which is that of several shards where its location has as many addresses, and applies pending migrations. */
export async function openTraceStore(
  place: TraceStoreLocation,
  options: TraceStoreOptions = {},
): Promise<TraceStore> {
  if ('folder' in place) return openShard(place, { number: 1, shards: 1 }, options)
  const urls = place.url.split(',')
  const shards: TraceStore[] = []
  try {
    // One after the other, so that an error at the start is about the first that has one.
    for (const [index, url] of urls.entries())
      shards.push(await openShard({ ...place, url }, { number: index + 1, shards: urls.length }, options))
  } catch (error) {
    for (const shard of shards) await shard.close()
    throw error
  }
  return shards.length === 1 ? shards[0]! : joinShards(shards)
}

async function openShard(
  place: TraceStoreLocation,
  shardPlace: ShardPlace,
  { onDamage = () => {}, onMigrated = () => {} }: TraceStoreOptions,
): Promise<TraceStore> {
  if ('folder' in place) {
    mkdirSync(place.folder, { recursive: true })
    removeOldBlockFiles(place.folder)
  }
  const engine = openClients(place)
  const cluster = 'url' in place ? place.cluster : undefined
  const repairing = makeQuarantine(engine, onDamage)
  const quarantine = cluster === undefined ? repairing : withoutRepair(repairing)
  const clients: Clients = {
    ...engine,
    read: (sql, parameters) => quarantine.read(() => engine.read(sql, parameters)),
    search: (sql, parameters) => quarantine.read(() => engine.search(sql, parameters)),
    readLines: (sql, parameters) => quarantine.read(() => engine.readLines(sql, parameters)),
    command: (sql, parameters) => quarantine.read(() => engine.command(sql, parameters)),
    maintain: (sql, parameters) => quarantine.read(() => engine.maintain(sql, parameters)),
  }
  try {
    if ('url' in place) await refuseOtherTopology(engine, cluster)
    await migrate(engine, { isOurs: 'folder' in place, cluster, onMigrated })
    await claimPlace(engine, shardPlace)
    await quarantine.refresh()
  } catch (error) {
    await engine.close()
    throw error
  }
  if ('folder' in place) await restoreLifetime(clients)
  const gate = makeWriteGate()
  const counts = { inserts: 0, rowsInserted: 0, rejectedRows: 0 }
  const countInserted = (batch: Omit<InsertBatch, 'token'>, result: InsertResult): InsertResult => {
    const blocks = [batch.traces, batch.logs, batch.scores, batch.spans ?? noRows]
    counts.inserts += 1
    counts.rowsInserted +=
      blocks.reduce((sum, block) => sum + countRows(block), 0) - result.rejectedRows.length
    counts.rejectedRows += result.rejectedRows.length
    return result
  }
  return {
    insert: async (batch) => countInserted(batch, await gate.write(() => insertBatch(clients, batch))),
    refuseNewer: () => refuseNewer(clients),
    replace: async (replacement) =>
      countInserted(replacement, await gate.write(() => replaceTraces(clients, replacement))),
    noteReplacements: (replacements) => clients.replacements.note(replacements),
    changeCosts: (changes) => gate.write(() => changeCosts(clients, changes)),
    joinExperiment: (request) => gate.write(() => joinExperiment(clients, request)),
    readSpans: (traces) => readSpanLines(clients, traces),
    storedScores: (traces) => storedScores(clients, traces),
    keepLatestScores: (scores) => gate.write(() => keepLatestScores(clients, scores)),
    scopedTo: (workspaceId) => scopeTo(workspaceId, clients, gate),
    planSlice: (selection, page) => planSlice(clients, selection, page),
    nextTraces: (selection, page) => nextTraces(clients, selection, page),
    deleteSlice: (workspaceId, slice) => gate.write(() => deleteSlice(clients, workspaceId, slice)),
    deleteSpans: (workspaceId, ids) => gate.write(() => deleteSpans(clients, workspaceId, ids)),
    deleteScoresOfUser: (workspaceId, options) =>
      gate.write(() => deleteScoresOfUser(clients, workspaceId, options)),
    matchingIds: (selection, traceIds) => matchingIds(clients, selection, traceIds),
    countScoresOfUser: (workspaceId, options) => countScoresOfUser(clients, workspaceId, options),
    countSelection: (selection) => countSelection(clients, selection),
    subjectRows: (workspaceId, subject, untilMs) => subjectRows(clients, workspaceId, subject, untilMs),
    beginPurge: (partitions, step) => gate.write(() => beginPurge(clients, partitions, step)),
    isPurging: () => isPurging(clients),
    async removeOldParts(replacedBefore) {
      const isEmbedded = 'folder' in place
      if (isEmbedded && (await countOldParts(clients, replacedBefore)) > 0)
        await gate.write(() => removeOldParts(clients))
      return countOldParts(clients, replacedBefore)
    },
    engineTime: () => engineTime(clients),
    sparsePartitions: () => sparsePartitions(clients),
    dropExpiredMonths: (expiries) => gate.write(() => dropExpiredMonths(clients, expiries)),
    deleteWorkspace: (workspaceId) => gate.write(() => deleteWorkspace(clients, workspaceId)),
    damagedParts: quarantine.parts,
    refreshDamagedParts: quarantine.refresh,
    checkParts: quarantine.check,
    pings: [() => clients.ping()],
    async releaseMemory() {
      if ('folder' in place) await clients.command('SYSTEM JEMALLOC PURGE')
    },
    counts: () => counts,
    statistics: () => readStatistics(clients),
    async snapshot(target) {
      if ('folder' in place) await gate.pauseWhile(() => snapshotFolder(clients, place.folder, target))
      return 'folder' in place
    },
    close: () => clients.close(),
  }
}
