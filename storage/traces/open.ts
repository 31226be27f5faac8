import { mkdirSync } from 'node:fs'
import { removeOldBlockFiles } from './engine/block-files.ts'
import { type Clients, openClients, type TraceStoreLocation } from './engine/clients.ts'
import { refuseOtherTopology } from './engine/cluster.ts'
import { TraceStoreUnavailable } from './engine/errors.ts'
import { availableMemoryBytes, isLittleMemory, memoryLimitsOf } from './engine/memory-limits.ts'
import { deferMerges, endDeferredMerges, limitPartsPerMerge } from './engine/merge-parts.ts'
import { migrate, refuseNewer } from './engine/migrate.ts'
import { findOutage, isOutage, makePreparation, waitForPreparation } from './engine/preparation.ts'
import { makeQuarantine, withoutRepair } from './engine/quarantine.ts'
import { snapshotFolder } from './engine/snapshot.ts'
import { readStatistics } from './engine/statistics.ts'
import { makeWriteGate, type WriteGate } from './engine/write-gate.ts'
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
import type { DamagedPart, InsertBatch, InsertResult, Table } from './types.ts'
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
  /** Called with the first migration before any is applied; if it throws, the store is left unchanged. */
  readonly beforeMigration?: (name: string) => void
  /** Called with each migration that was applied. */
  readonly onMigrated?: (name: string, tookMs: number) => void
  /** Called with the number of each shard, from 1, that does not respond while others do. */
  readonly onShardAway?: (number: number, error: Error) => void
  /** Called with the number of a shard that was away at the start, once it can be used. */
  readonly onShardBack?: (number: number) => void
}

/**
 * Opens the store, with one shard per address if there are several, and applies pending migrations. A shard that does
 * not respond is checked and migrated once it does, provided that another one responds.
 */
export async function openTraceStore(
  place: TraceStoreLocation,
  options: TraceStoreOptions = {},
): Promise<TraceStore> {
  if ('folder' in place) return openWhole(place, options)
  const urls = place.url.split(',')
  if (urls.length === 1) return openWhole(place, options)
  const shards: Shard[] = []
  try {
    // One after the other, so that a startup error is about the first failing shard.
    for (const [index, url] of urls.entries()) {
      const number = index + 1
      const shard = makeShard({ ...place, url }, { number, shards: urls.length }, options)
      shards.push(shard)
      const outage = await shard.prepareUnlessAway()
      if (outage === undefined) continue
      // Without a single shard nothing about the installation can be checked.
      if (number === urls.length && !shards.some(({ isPrepared }) => isPrepared())) throw outage
      options.onShardAway?.(number, outage)
    }
  } catch (error) {
    for (const { store } of shards) await store.close()
    throw error
  }
  return joinShards(shards.map(({ store }) => store))
}

interface Shard {
  readonly store: TraceStore
  /** Checks and migrates the shard. */
  prepare(): Promise<void>
  /** The same, but leaves a shard that does not respond for later and returns the reason. */
  prepareUnlessAway(): Promise<TraceStoreUnavailable | undefined>
  isPrepared(): boolean
}

async function openWhole(place: TraceStoreLocation, options: TraceStoreOptions): Promise<TraceStore> {
  const { store, prepare } = makeShard(place, { number: 1, shards: 1 }, options)
  try {
    await prepare()
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** The embedded engine opens its folder at once. */
function openEngine(place: TraceStoreLocation): Clients {
  if (!('folder' in place)) return openClients(place)
  try {
    mkdirSync(place.folder, { recursive: true })
    removeOldBlockFiles(place.folder)
    return openClients(place)
  } catch (cause) {
    throw new TraceStoreUnavailable(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** No statement reaches the engine before it is prepared. */
function makeShard(
  place: TraceStoreLocation,
  shardPlace: ShardPlace,
  { onDamage = () => {}, beforeMigration, onMigrated, onShardBack = () => {} }: TraceStoreOptions,
): Shard {
  const engine = openEngine(place)
  const cluster = 'url' in place ? place.cluster : undefined
  const repairing = makeQuarantine(engine, onDamage)
  const quarantine = cluster === undefined ? repairing : withoutRepair(repairing)
  let isPrepared = false
  let wasAway = false
  const preparation = makePreparation(async () => {
    try {
      if ('url' in place) await refuseOtherTopology(engine, cluster)
      await migrate(engine, { isOurs: 'folder' in place, cluster, beforeMigration, onMigrated })
      await claimPlace(engine, shardPlace)
      await quarantine.refresh()
      if ('folder' in place) await setTableSettings(engine)
    } catch (error) {
      if (!wasAway || error instanceof TraceStoreUnavailable) throw error
      // At startup this would refuse the store, but now the other shards are in use.
      throw new TraceStoreUnavailable(messageOf(error), { cause: error })
    }
    isPrepared = true
    if (wasAway) onShardBack(shardPlace.number)
  })
  const prepared = waitForPreparation(engine, preparation)
  const clients: Clients = {
    ...prepared,
    read: (sql, parameters) => quarantine.read(() => prepared.read(sql, parameters)),
    search: (sql, parameters) => quarantine.read(() => prepared.search(sql, parameters)),
    readLines: (sql, parameters) => quarantine.read(() => prepared.readLines(sql, parameters)),
    command: (sql, parameters) => quarantine.read(() => prepared.command(sql, parameters)),
    maintain: (sql, parameters) => quarantine.read(() => prepared.maintain(sql, parameters)),
  }
  const gate = makeWriteGate()
  const counts = { inserts: 0, rowsInserted: 0, rejectedRows: 0 }
  const countInserted = (batch: Pick<InsertBatch, Table>, result: InsertResult): InsertResult => {
    const blocks = [batch.traces, batch.logs, batch.scores, batch.spans ?? noRows]
    counts.inserts += 1
    counts.rowsInserted +=
      blocks.reduce((sum, block) => sum + countRows(block), 0) - result.rejectedRows.length
    counts.rejectedRows += result.rejectedRows.length
    return result
  }
  const store: TraceStore = {
    insert: async (batch) => countInserted(batch, await gate.insert(() => insertBatch(clients, batch))),
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
    deleteSlice: (workspaceId, slice) =>
      gate.write(() => deleteSlice(clients, workspaceId, slice, gate.yieldToInserts)),
    deleteSpans: (workspaceId, ids) => gate.write(() => deleteSpans(clients, workspaceId, ids)),
    deleteScoresOfUser: (workspaceId, options) =>
      gate.write(() => deleteScoresOfUser(clients, workspaceId, options)),
    matchingIds: (selection, traceIds) => matchingIds(clients, selection, traceIds),
    countScoresOfUser: (workspaceId, options) => countScoresOfUser(clients, workspaceId, options),
    countSelection: (selection) => countSelection(clients, selection),
    subjectRows: (workspaceId, subject, untilMs) => subjectRows(clients, workspaceId, subject, untilMs),
    beginPurge: (partitions, step) => gate.write(() => beginPurge(clients, partitions, step)),
    isPurging: () => isPurging(clients),
    engineTime: () => engineTime(clients),
    sparsePartitions: () => sparsePartitions(clients),
    dropExpiredMonths: (expiries) => gate.write(() => dropExpiredMonths(clients, expiries)),
    deleteWorkspace: (workspaceId) => gate.write(() => deleteWorkspace(clients, workspaceId)),
    damagedParts: quarantine.parts,
    refreshDamagedParts: quarantine.refresh,
    async checkParts(options) {
      await preparation.untilPrepared()
      return quarantine.check(options)
    },
    shardOf: () => 1,
    pings: [() => clients.ping()],
    ...embeddedOnly(place, clients, gate),
    counts: () => counts,
    statistics: () => readStatistics(clients),
    close: () => clients.close(),
  }
  return {
    store,
    prepare: preparation.prepare,
    async prepareUnlessAway() {
      const outage = await findOutage(engine)
      if (outage === undefined) {
        try {
          await preparation.prepare()
          return undefined
        } catch (error) {
          if (!isOutage(error)) throw error
        }
      }
      wasAway = true
      return outage ?? new TraceStoreUnavailable('The trace store does not respond.')
    },
    isPrepared: () => isPrepared,
  }
}

/** Operations for the embedded engine only; a server handles them itself. */
const embeddedOnly = (
  place: TraceStoreLocation,
  clients: Clients,
  gate: WriteGate,
): Pick<TraceStore, 'removeOldParts' | 'releaseMemory' | 'deferMerges' | 'snapshot'> => ({
  async removeOldParts(replacedBefore) {
    if ('folder' in place && (await countOldParts(clients, replacedBefore)) > 0)
      await gate.write(() => removeOldParts(clients))
    return countOldParts(clients, replacedBefore)
  },
  async releaseMemory() {
    if ('folder' in place) await clients.command('SYSTEM JEMALLOC PURGE')
  },
  async deferMerges(isDeferred) {
    // Merging many parts needs too much memory on a small machine.
    if ('folder' in place && !isLittleMemory()) await gate.write(() => deferMerges(clients, isDeferred))
  },
  async snapshot(target) {
    if ('folder' in place) await gate.pauseWhile(() => snapshotFolder(clients, place.folder, target))
    return 'folder' in place
  },
})

/** Settings of the embedded engine that exist only per table. */
async function setTableSettings(engine: Clients): Promise<void> {
  await restoreLifetime(engine)
  await endDeferredMerges(engine)
  await limitPartsPerMerge(engine, memoryLimitsOf(availableMemoryBytes()).merges?.partsMax)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
