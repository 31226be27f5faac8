import { mkdirSync } from 'node:fs'
import { type Clients, openClients, type TraceStoreLocation } from './engine/clients.ts'
import { refuseOtherTopology } from './engine/cluster.ts'
import { migrate, refuseNewer } from './engine/migrate.ts'
import { makeQuarantine, withoutRepair } from './engine/quarantine.ts'
import { snapshotFolder } from './engine/snapshot.ts'
import { readStatistics } from './engine/statistics.ts'
import { makeWriteGate } from './engine/write-gate.ts'
import { changeSums } from './metrics/change-sums.ts'
import { measure } from './metrics/metrics.ts'
import { conversationEnds, turnTexts } from './read/conversation-texts.ts'
import { experimentTraces, textsOf } from './read/experiment-traces.ts'
import { countFacets } from './read/facets.ts'
import {
  existingLogs,
  existingTraces,
  findTrace,
  findTraces,
  idOfOtelTrace,
  otelIdsOf,
  scoresOfTrace,
  storedScores,
  traceExists,
} from './read/find.ts'
import { firstErrors } from './read/first-errors.ts'
import { countOverTime, startsOf } from './read/histogram.ts'
import { commonScoreNames, comparableScores, humanScoresOf } from './read/human-scores.ts'
import { linkedTraces } from './read/linked-traces.ts'
import { listTraces } from './read/list.ts'
import { liveMatches, liveSums } from './read/live-matches.ts'
import { liveSessionSums, liveSessions, sessionEnd } from './read/live-sessions.ts'
import { rankTrace } from './read/percentiles.ts'
import { versionScores, versionSums, versionUses } from './read/prompt-versions.ts'
import { sampleTraces } from './read/sample.ts'
import { samplingOf, scoresByVersion } from './read/sampling.ts'
import { changeScore, deleteScore, findScore, keepLatestScores, listScores } from './read/scores.ts'
import { listSorted } from './read/sorted-list.ts'
import { readSpanLines } from './read/span-rows.ts'
import { subjectRows } from './read/subject-rows.ts'
import { groupTraces, scoresOfGroups } from './read/trace-groups.ts'
import { findTraceHead } from './read/trace-head.ts'
import { findLog, outlineLogs } from './read/trace-logs.ts'
import { countScoresOfUser, countSelection, matchingIds } from './read/trace-selection.ts'
import { walkTraces } from './read/walk.ts'
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

const noLines = Buffer.alloc(0)

interface TraceStoreOptions {
  /** Called with each damaged part when it is set aside. */
  readonly onDamage?: (part: DamagedPart) => void
  /** Called with each migration that was applied. */
  readonly onMigrated?: (name: string, tookMs: number) => void
}

/** Opens the store and applies pending migrations. */
export async function openTraceStore(
  place: TraceStoreLocation,
  { onDamage = () => {}, onMigrated = () => {} }: TraceStoreOptions = {},
): Promise<TraceStore> {
  if ('folder' in place) mkdirSync(place.folder, { recursive: true })
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
    await quarantine.refresh()
  } catch (error) {
    await engine.close()
    throw error
  }
  if ('folder' in place) await restoreLifetime(clients)
  const gate = makeWriteGate()
  const counts = { inserts: 0, rowsInserted: 0, rejectedLines: 0 }
  const countRows = (batch: Omit<InsertBatch, 'token'>, result: InsertResult): InsertResult => {
    const lines = [batch.traces, batch.logs, batch.scores, batch.spans ?? noLines]
    counts.inserts += 1
    counts.rowsInserted += lines.reduce((sum, buffer) => sum + rowsIn(buffer), 0) - result.rejected.length
    counts.rejectedLines += result.rejected.length
    return result
  }
  return {
    insert: async (batch) => countRows(batch, await gate.write(() => insertBatch(clients, batch))),
    refuseNewer: () => refuseNewer(clients),
    replace: async (replacement) =>
      countRows(replacement, await gate.write(() => replaceTraces(clients, replacement))),
    noteReplacements: (replacements) => clients.replacements.note(replacements),
    changeCosts: (changes) => gate.write(() => changeCosts(clients, changes)),
    joinExperiment: (request) => gate.write(() => joinExperiment(clients, request)),
    readSpans: (traces) => readSpanLines(clients, traces),
    storedScores: (traces) => storedScores(clients, traces),
    keepLatestScores: (scores) => gate.write(() => keepLatestScores(clients, scores)),
    scopedTo: (workspaceId) => ({
      find: (traceId) => findTrace(clients, workspaceId, traceId),
      findHead: (traceId, logsMax) => findTraceHead(clients, workspaceId, traceId, logsMax),
      outlineLogs: (traceId, query) => outlineLogs(clients, workspaceId, traceId, query),
      findLog: (traceId, logId) => findLog(clients, workspaceId, traceId, logId),
      scoresOf: (traceId) => scoresOfTrace(clients, workspaceId, traceId),
      findMany: (traceIds) => findTraces(clients, workspaceId, traceIds),
      exists: (traceId, logId) => traceExists(clients, workspaceId, traceId, logId),
      idOf: (otelTraceId) => idOfOtelTrace(clients, workspaceId, otelTraceId),
      list: (filters, page) => listTraces(clients, workspaceId, filters, page),
      listSorted: (filters, page) => listSorted(clients, workspaceId, filters, page),
      firstErrors: (traces) => firstErrors(clients, workspaceId, traces),
      groups: (groupBy, filters, page) => groupTraces(clients, workspaceId, groupBy, filters, page),
      scoresOfGroups: (groupBy, filters, ids) => scoresOfGroups(clients, workspaceId, groupBy, filters, ids),
      conversationEnds: (ids) => conversationEnds(clients, workspaceId, ids),
      turnTexts: (traces, charactersMax) => turnTexts(clients, workspaceId, traces, charactersMax),
      facets: (filters, options) => countFacets(clients, workspaceId, filters, options),
      starts: (filters) => startsOf(clients, workspaceId, filters),
      histogram: (filters, widthUs) => countOverTime(clients, workspaceId, filters, widthUs),
      rank: (filters, values) => rankTrace(clients, workspaceId, filters, values),
      scores: (filters, page) => listScores(clients, workspaceId, filters, page),
      findScore: (scoreId) => findScore(clients, workspaceId, scoreId),
      linkedTraces: (otelTraceId) => linkedTraces(clients, workspaceId, otelTraceId),
      liveMatches: (traceIds, selection) => liveMatches(clients, workspaceId, traceIds, selection),
      liveSums: (selection, rate) => liveSums(clients, workspaceId, selection, rate),
      liveSessions: (traceIds, filters) => liveSessions(clients, workspaceId, traceIds, filters),
      liveSessionSums: (filters, options) => liveSessionSums(clients, workspaceId, filters, options),
      sessionEnd: (sessionId) => sessionEnd(clients, workspaceId, sessionId),
      sample: (filters, options) => sampleTraces(clients, workspaceId, filters, options),
      humanScoresOf: (traceIds, slugs) => humanScoresOf(clients, workspaceId, traceIds, slugs),
      commonScoreNames: (query) => commonScoreNames(clients, workspaceId, query),
      comparableScores: (query, name) => comparableScores(clients, workspaceId, query, name),
      changeScore: (score) => gate.write(() => changeScore(clients, { ...score, workspaceId })),
      deleteScore: (scoreId) => gate.write(() => deleteScore(clients, workspaceId, scoreId)),
      versionUses: (use) => versionUses(clients, workspaceId, use),
      versionSums: (use, versions) => versionSums(clients, workspaceId, use, versions),
      versionScores: (use, versions) => versionScores(clients, workspaceId, use, versions),
      ofExperiments: (ids, limit) => experimentTraces(clients, workspaceId, ids, limit),
      texts: (traces, characters) => textsOf(clients, workspaceId, traces, characters),
      walk: (filters) => walkTraces(clients, workspaceId, filters),
      otelIdsOf: (traceIds) => otelIdsOf(clients, workspaceId, traceIds),
      existing: (traceIds) => existingTraces(clients, workspaceId, traceIds),
      existingLogs: (logs) => existingLogs(clients, workspaceId, logs),
      sampling: (slug, start) => samplingOf(clients, workspaceId, slug, start),
      scoresByVersion: (slug) => scoresByVersion(clients, workspaceId, slug),
      measure: (query) => measure(clients, workspaceId, query),
      changeSums: (name, windows, filters) => changeSums(clients, workspaceId, name, windows, filters),
    }),
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
    ping: () => clients.ping(),
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

function rowsIn(lines: Buffer): number {
  let rows = 0
  for (let index = lines.indexOf(0x0a); index !== -1; index = lines.indexOf(0x0a, index + 1)) rows += 1
  return rows
}
