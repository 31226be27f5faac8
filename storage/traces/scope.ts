import type { Clients } from './engine/clients.ts'
import type { WriteGate } from './engine/write-gate.ts'
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
  traceExists,
} from './read/find.ts'
import { firstErrors } from './read/first-errors.ts'
import { countOverTime } from './read/histogram.ts'
import { commonScoreNames, comparableScores, humanScoresOf } from './read/human-scores.ts'
import { linkedTraces } from './read/linked-traces.ts'
import { listTraces } from './read/list.ts'
import { liveMatches, liveSums } from './read/live-matches.ts'
import { liveSessionSums, liveSessions, sessionEnd } from './read/live-sessions.ts'
import { rankTrace } from './read/percentiles.ts'
import { versionScores, versionSums, versionUses } from './read/prompt-versions.ts'
import { sampleTraces } from './read/sample.ts'
import { samplingOf, scoresByVersion } from './read/sampling.ts'
import { changeScore, deleteScore, findScore, listScores } from './read/scores.ts'
import { listSorted } from './read/sorted-list.ts'
import { groupTraces, scoresOfGroups } from './read/trace-groups.ts'
import { findTraceHead } from './read/trace-head.ts'
import { findLog, outlineLogs } from './read/trace-logs.ts'
import { walkTraces } from './read/walk.ts'
import type { WorkspaceTraces } from './store.ts'

/** The traces of one workspace: its id is bound in every statement. */
export function scopeTo(workspaceId: string, clients: Clients, gate: WriteGate): WorkspaceTraces {
  return {
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
    conversationEnds: (ids, starts) => conversationEnds(clients, workspaceId, ids, starts),
    turnTexts: (traces, charactersMax) => turnTexts(clients, workspaceId, traces, charactersMax),
    facets: (filters, options) => countFacets(clients, workspaceId, filters, options),
    histogram: (filters, options) => countOverTime(clients, workspaceId, filters, options),
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
    changeScore: (scoreId, change) =>
      gate.write(() => changeScore(clients, { workspaceId, scoreId }, change)),
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
  }
}
