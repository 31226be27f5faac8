/**
 * The state of the assembler, which turns OpenTelemetry spans into traces: arrivals, due assemblies and plans in
 * progress. It belongs to the installation, since one node assembles for all workspaces.
 */
import type { Database, Sql } from '../store/sql.ts'
import {
  type AssembledTrace,
  type AssemblyKey,
  byKey,
  readTraces,
  rowsPerStatement,
  type StoredTraces,
  tracesText,
} from './assembly-keys.ts'
import {
  type AssemblyPlan,
  claimLease,
  findCompleted,
  listPaused,
  listUnfinished,
  pause,
  resume,
  storePlan,
  widen,
} from './assembly-plans.ts'
import { findDeletedScores } from './deleted-scores.ts'

/** The spans of one OpenTelemetry trace in one batch. */
export type SpanArrival = {
  readonly workspaceId: string
  readonly otelTraceId: string
  readonly firstAtMs: number
  readonly lastAtMs: number
  readonly spans: number
  /** Whether the batch has a root span that has ended. */
  readonly hasEndedRoot: boolean
}

export type Assembly = {
  workspaceId: string
  otelTraceId: string
  firstAtMs: number
  lastAtMs: number
  arrivals: number
  spans: number
  /** Traces that may be stored; some may have been deleted. */
  traces: AssembledTrace[]
  digest: string
  /** When it is due for assembly; undefined if it has no new spans. */
  dueAtMs: number | undefined
  /** Whether its trace was deleted. */
  isDeleted: boolean
}

/** The result of an assembly. */
export type FinishedAssembly = Pick<
  Assembly,
  'workspaceId' | 'otelTraceId' | 'firstAtMs' | 'lastAtMs' | 'arrivals' | 'traces' | 'digest'
> & {
  readonly notBeforeMs: number
  readonly settlesAtMs: number
  /** Whether to assemble it again even without new spans. */
  readonly isUnsure: boolean
  /** JSON of what to judge once the trace has settled; undefined if unchanged. */
  readonly toJudge: string | undefined
}

/** A trace that was stored with all its spans at once. */
export type WholeAssembly = Pick<
  Assembly,
  'workspaceId' | 'otelTraceId' | 'firstAtMs' | 'lastAtMs' | 'traces' | 'digest'
> & {
  readonly pauseMs: number
  /** JSON of what to judge; undefined for nothing. */
  readonly toJudge: string | undefined
}

/** A settled trace with what to judge. */
export type SettledTrace = Pick<Assembly, 'workspaceId' | 'otelTraceId'> & { readonly toJudge: string }

/** Which traces no longer grow. */
export type QuietCutoffs = {
  /** Traces that began before this time, */
  readonly firstBefore: Date
  /** and received their last spans before this one. */
  readonly lastBefore: Date
}

/** A trace without new spans for this long counts as complete. */
export const quietMs = 90_000

export type AssemblyStore = ReturnType<typeof assemblyStore>

export function assemblyStore(database: Database) {
  const { sql } = database
  return {
    /** Records arrivals. A new trace and one with an ended root are due immediately, others after their delay. */
    addArrivals: (arrivals: readonly SpanArrival[], now: Date) => addArrivals(sql, arrivals, now),
    /** Records traces that are already stored, with an ended root; further spans are arrivals. */
    addWhole: (assemblies: readonly WholeAssembly[], now: Date) =>
      database.transaction((tx) => addWhole(tx, assemblies, now)),
    /** Due assemblies, the longest overdue first; leaves out workspaces whose traces cannot be reached. */
    due: (now: Date, limit: number, awayWorkspaceIds: readonly string[] = []) =>
      due(sql, now, limit, awayWorkspaceIds),
    /** Schedules traces for another assembly without new spans; ignores traces that are no longer tracked. */
    redo: async (workspaceId: string, otelTraceIds: readonly string[], now: Date) =>
      void (await sql`
        UPDATE assemblies SET due_at = ${now.getTime()}, arrivals = arrivals + 1, digest = ''
        WHERE workspace_id = ${workspaceId} AND otel_trace_id IN (${otelTraceIds})`),
    /** Makes all assemblies that wait for more spans due now. */
    hurry: async (now: Date) =>
      void (await sql`
        UPDATE assemblies SET due_at = ${now.getTime()} WHERE due_at > ${now.getTime()} AND deleted_at IS NULL`),
    /** When the next assembly is due; undefined if there is none. */
    nextDueMs: (awayWorkspaceIds: readonly string[] = []) => nextDueMs(sql, awayWorkspaceIds),
    /** The assemblies of some traces. */
    find: (keys: readonly AssemblyKey[]) => find(sql, keys),
    /** The ids of deleted scores that the spans of some traces still report. */
    deletedScores: (keys: readonly AssemblyKey[]) => findDeletedScores(sql, keys),
    /** The OpenTelemetry ids of traces whose first span arrived at this time. */
    findByFirstArrival: (workspaceId: string, firstAtMs: number) =>
      findByFirstArrival(sql, workspaceId, firstAtMs),
    /** Acquires or renews the assembler's lease with a new revision; undefined while another node owns it. */
    claimLease: (leaseOwner: string, now: Date, forMs: number) => claimLease(sql, leaseOwner, now, forMs),
    /** Records what is about to be stored; false if another node owns the lease meanwhile. */
    storePlan: (plan: AssemblyPlan) => storePlan(sql, plan),
    /** Unfinished plans, oldest first. */
    unfinished: () => listUnfinished(sql),
    /** A revision below which every plan is finished and no new one can start, and whether a plan is unfinished. */
    completed: () => findCompleted(sql),
    /** Adds to an unfinished plan. */
    widen: (plan: AssemblyPlan) => widen(sql, plan),
    /** Whether one of a plan's traces was deleted meanwhile. */
    hasDeleted: (plan: AssemblyPlan) => hasDeleted(sql, plan),
    /** Excludes some traces from new plans until a given time; plans that have begun continue. */
    pause: (keys: readonly AssemblyKey[], leaseOwner: string, end: Date) => pause(sql, keys, leaseOwner, end),
    /** Ends the pause of some traces. */
    resume: (keys: readonly AssemblyKey[]) => resume(sql, keys),
    /** The paused traces, by `pauseName`. */
    paused: (now: Date) => listPaused(sql, now),
    /** Abandons a plan of which nothing was stored. */
    abandon: async (revision: number) =>
      void (await sql`DELETE FROM assembly_plans WHERE revision = ${revision}`),
    /** Deleted traces for which spans arrived afterwards. */
    lateForDeleted: (limit: number) => lateForDeleted(sql, limit),
    /** Records that late spans were dropped, unless more have arrived since. */
    dropped: (late: readonly LateSpans[]) => database.transaction((tx) => dropLate(tx, late)),
    /** Completes a plan, or an assembly that had nothing to store. */
    finish: (revision: number | undefined, assemblies: readonly FinishedAssembly[]) =>
      database.transaction((tx) => finish(tx, revision, assemblies)),
    /** Settled traces to judge, the longest waiting first. */
    settled: (now: Date, limit: number) => listSettled(sql, now, limit),
    /** Marks settled traces as enqueued, unless they have changed since. */
    queued: (them: readonly SettledTrace[]) => database.transaction((tx) => clearToJudge(tx, them)),
    /** Stops tracking old traces that no longer grow: later spans start another trace. */
    forgetQuiet: async ({ firstBefore, lastBefore }: QuietCutoffs) =>
      void (await sql`
        DELETE FROM assemblies
        WHERE due_at IS NULL AND first_at < ${firstBefore.getTime()} AND last_at < ${lastBefore.getTime()}`),
    /** The same for traces that began before this time and may still grow. */
    forgetGrowing: async (firstBefore: Date) =>
      void (await sql`DELETE FROM assemblies WHERE due_at IS NULL AND first_at < ${firstBefore.getTime()}`),
  }
}

async function addArrivals(sql: Sql, arrivals: readonly SpanArrival[], now: Date): Promise<void> {
  const dueAt = now.getTime()
  // In a fixed order, so that two nodes cannot deadlock.
  const sorted = arrivals.toSorted(byKey)
  for (let start = 0; start < sorted.length; start += rowsPerStatement) {
    const rows = sorted.slice(start, start + rowsPerStatement).map((arrival) => {
      const settlesAt = arrival.hasEndedRoot ? dueAt : arrival.lastAtMs + quietMs
      return [
        arrival.workspaceId,
        arrival.otelTraceId,
        arrival.firstAtMs,
        arrival.lastAtMs,
        1,
        arrival.spans,
        dueAt,
        0,
        settlesAt,
        '[]',
        '',
      ]
    })
    // A trace that settles now has an ended root.
    await sql`
      INSERT INTO assemblies (workspace_id, otel_trace_id, first_at, last_at, arrivals, spans, due_at, not_before,
        settles_at, traces, digest)
      VALUES ${rows}
      ON CONFLICT (workspace_id, otel_trace_id) DO UPDATE SET
        last_at = CASE WHEN excluded.last_at > assemblies.last_at THEN excluded.last_at ELSE assemblies.last_at END,
        arrivals = assemblies.arrivals + 1,
        spans = assemblies.spans + excluded.spans,
        settles_at = excluded.settles_at,
        due_at = CASE
          WHEN excluded.settles_at = excluded.due_at THEN excluded.due_at
          WHEN assemblies.due_at IS NOT NULL THEN assemblies.due_at
          WHEN assemblies.not_before > excluded.due_at THEN assemblies.not_before
          ELSE excluded.due_at END`
  }
}

/** A trace that is already tracked is assembled once more. */
async function addWhole(sql: Sql, assemblies: readonly WholeAssembly[], now: Date): Promise<void> {
  const nowMs = now.getTime()
  const sorted = assemblies.toSorted(byKey)
  for (let start = 0; start < sorted.length; start += rowsPerStatement) {
    const rows = sorted
      .slice(start, start + rowsPerStatement)
      .map((assembly) => [
        assembly.workspaceId,
        assembly.otelTraceId,
        assembly.firstAtMs,
        assembly.lastAtMs,
        1,
        0,
        nowMs + assembly.pauseMs,
        nowMs,
        tracesText(assembly.traces),
        assembly.digest,
        assembly.toJudge ?? null,
      ])
    await sql`
      INSERT INTO assemblies (workspace_id, otel_trace_id, first_at, last_at, arrivals, spans, not_before, settles_at,
        traces, digest, to_judge)
      VALUES ${rows}
      ON CONFLICT (workspace_id, otel_trace_id) DO UPDATE SET
        arrivals = assemblies.arrivals + 1, due_at = excluded.settles_at, traces = excluded.traces, digest = ''`
  }
}

/** Served by the index of traces to judge. Excludes those with new spans: they are assembled first. */
async function listSettled(sql: Sql, now: Date, limit: number): Promise<SettledTrace[]> {
  const rows = await sql<{ workspace_id: string; otel_trace_id: string; to_judge: string }>`
    SELECT workspace_id, otel_trace_id, to_judge FROM assemblies
    WHERE to_judge IS NOT NULL AND settles_at <= ${now.getTime()} AND due_at IS NULL
      AND deleted_at IS NULL
    ORDER BY settles_at LIMIT ${limit}`
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    otelTraceId: row.otel_trace_id,
    toJudge: row.to_judge,
  }))
}

async function clearToJudge(sql: Sql, them: readonly SettledTrace[]): Promise<void> {
  for (const { workspaceId, otelTraceId, toJudge } of them.toSorted(byKey))
    await sql`
      UPDATE assemblies SET to_judge = NULL
      WHERE workspace_id = ${workspaceId} AND otel_trace_id = ${otelTraceId} AND to_judge = ${toJudge}`
}

type AssemblyRow = {
  workspace_id: string
  otel_trace_id: string
  first_at: number
  last_at: number
  arrivals: number
  spans: number
  traces: string
  digest: string
  due_at: number | null
  deleted_at: number | null
}

/** Served by the index of due assemblies. */
async function due(
  sql: Sql,
  now: Date,
  limit: number,
  awayWorkspaceIds: readonly string[],
): Promise<Assembly[]> {
  const rows = await sql<AssemblyRow>`
    SELECT workspace_id, otel_trace_id, first_at, last_at, arrivals, spans, traces, digest, due_at, deleted_at
    FROM assemblies WHERE due_at IS NOT NULL AND due_at <= ${now.getTime()} AND deleted_at IS NULL
      AND workspace_id NOT IN (${['', ...awayWorkspaceIds]})
    ORDER BY due_at LIMIT ${limit}`
  return rows.map(toAssembly)
}

async function nextDueMs(sql: Sql, awayWorkspaceIds: readonly string[]): Promise<number | undefined> {
  const [row] = await sql<{ next: number | null }>`
    SELECT min(due_at) AS next FROM assemblies
    WHERE due_at IS NOT NULL AND workspace_id NOT IN (${['', ...awayWorkspaceIds]})`
  return row?.next ?? undefined
}

/** Spans that arrived for a deleted trace. */
export type LateSpans = { workspaceId: string; otelTraceId: string; arrivals: number }

/** Served by the index of due assemblies. */
async function lateForDeleted(sql: Sql, limit: number): Promise<LateSpans[]> {
  const rows = await sql<{ workspace_id: string; otel_trace_id: string; arrivals: number }>`
    SELECT workspace_id, otel_trace_id, arrivals FROM assemblies
    WHERE due_at IS NOT NULL AND deleted_at IS NOT NULL ORDER BY due_at LIMIT ${limit}`
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    otelTraceId: row.otel_trace_id,
    arrivals: row.arrivals,
  }))
}

async function dropLate(sql: Sql, late: readonly LateSpans[]): Promise<void> {
  for (const { workspaceId, otelTraceId, arrivals } of late.toSorted(byKey))
    await sql`
      UPDATE assemblies SET due_at = NULL
      WHERE workspace_id = ${workspaceId} AND otel_trace_id = ${otelTraceId} AND arrivals = ${arrivals}`
}

/**
 * By primary key. One side marks a trace and then looks for plans, the other begins a plan and then looks for marks, so
 * at least one sees the other.
 */
async function hasDeleted(sql: Sql, { traces }: AssemblyPlan): Promise<boolean> {
  for (const [workspaceId, keys] of Map.groupBy(traces, (trace) => trace.workspaceId))
    for (let start = 0; start < keys.length; start += rowsPerStatement) {
      const ids = keys.slice(start, start + rowsPerStatement).map(({ otelTraceId }) => otelTraceId)
      const rows = await sql`
        SELECT otel_trace_id FROM assemblies
        WHERE workspace_id = ${workspaceId} AND otel_trace_id IN (${ids}) AND deleted_at IS NOT NULL LIMIT 1`
      if (rows.length > 0) return true
    }
  return false
}

/** Served by the primary key. */
async function find(sql: Sql, keys: readonly AssemblyKey[]): Promise<Assembly[]> {
  const assemblies: Assembly[] = []
  for (const [workspaceId, workspaceKeys] of Map.groupBy(keys, (key) => key.workspaceId)) {
    for (let start = 0; start < workspaceKeys.length; start += rowsPerStatement) {
      const ids = workspaceKeys.slice(start, start + rowsPerStatement).map(({ otelTraceId }) => otelTraceId)
      const rows = await sql<AssemblyRow>`
        SELECT workspace_id, otel_trace_id, first_at, last_at, arrivals, spans, traces, digest, due_at, deleted_at
        FROM assemblies WHERE workspace_id = ${workspaceId} AND otel_trace_id IN (${ids})`
      assemblies.push(...rows.map(toAssembly))
    }
  }
  return assemblies
}

/** Served by the index of first arrivals. */
async function findByFirstArrival(sql: Sql, workspaceId: string, firstAtMs: number): Promise<string[]> {
  const rows = await sql<{ otel_trace_id: string }>`
    SELECT otel_trace_id FROM assemblies WHERE first_at = ${firstAtMs} AND workspace_id = ${workspaceId}`
  return rows.map((row) => row.otel_trace_id)
}

async function finish(
  sql: Sql,
  revision: number | undefined,
  assemblies: readonly FinishedAssembly[],
): Promise<void> {
  if (revision !== undefined) {
    const [finishedPlan] = await sql<{ revision: number }>`
      DELETE FROM assembly_plans WHERE revision = ${revision} RETURNING revision`
    // Another node took over the plan and finished it.
    if (finishedPlan === undefined) return
  }
  const sorted = assemblies.toSorted(byKey)
  for (let start = 0; start < sorted.length; start += rowsPerStatement) {
    const rows = sorted
      .slice(start, start + rowsPerStatement)
      .map((assembly) => [
        assembly.workspaceId,
        assembly.otelTraceId,
        assembly.firstAtMs,
        assembly.lastAtMs,
        assembly.arrivals,
        0,
        assembly.isUnsure ? assembly.notBeforeMs : null,
        assembly.notBeforeMs,
        assembly.settlesAtMs,
        tracesText(assembly.traces),
        assembly.digest,
        assembly.toJudge ?? '',
      ])
    await sql`
      INSERT INTO assemblies (workspace_id, otel_trace_id, first_at, last_at, arrivals, spans, due_at, not_before,
        settles_at, traces, digest, to_judge)
      VALUES ${rows}
      ON CONFLICT (workspace_id, otel_trace_id) DO UPDATE SET
        due_at = CASE WHEN assemblies.arrivals = excluded.arrivals THEN excluded.due_at ELSE excluded.not_before END,
        not_before = excluded.not_before,
        settles_at = CASE WHEN assemblies.arrivals = excluded.arrivals
          THEN excluded.settles_at ELSE assemblies.settles_at END,
        traces = excluded.traces,
        digest = excluded.digest,
        to_judge = CASE excluded.to_judge WHEN '' THEN assemblies.to_judge WHEN '[]' THEN NULL
          ELSE excluded.to_judge END`
  }
}

const toAssembly = (row: AssemblyRow): Assembly => ({
  workspaceId: row.workspace_id,
  otelTraceId: row.otel_trace_id,
  firstAtMs: row.first_at,
  lastAtMs: row.last_at,
  arrivals: row.arrivals,
  spans: row.spans,
  traces: readTraces(JSON.parse(row.traces) as StoredTraces),
  digest: row.digest,
  dueAtMs: row.due_at ?? undefined,
  isDeleted: row.deleted_at !== null,
})
