/**
 * The books of the assembler, which makes traces of OpenTelemetry's spans: what has come, what is to be assembled,
 * and what is being written. Of the installation, since one node assembles for all workspaces.
 */
import type { Database, Sql } from './sql.ts'

/** What came of one OpenTelemetry trace in one batch. */
export type SpanArrival = {
  readonly workspaceId: string
  readonly otelTraceId: string
  readonly firstAtMs: number
  readonly lastAtMs: number
  readonly spans: number
  /** Whether a span without a parent was among them, and had ended. */
  readonly hasEndedRoot: boolean
}

/** A stored trace, as the trace store finds it. */
export type AssembledTrace = { readonly traceId: string; readonly startUs: bigint }

export type Assembly = {
  workspaceId: string
  otelTraceId: string
  firstAtMs: number
  lastAtMs: number
  arrivals: number
  spans: number
  /** What may be stored of it: rows of some of these may be gone. */
  traces: AssembledTrace[]
  digest: string
}

/** What an assembly came to. */
export type Assembled = Pick<
  Assembly,
  'workspaceId' | 'otelTraceId' | 'firstAtMs' | 'lastAtMs' | 'arrivals' | 'traces' | 'digest'
> & {
  readonly notBeforeMs: number
  readonly settlesAtMs: number
  /** Whether it has to be assembled once more, though nothing came. */
  readonly isUnsure: boolean
  /** JSON of what is to be judged of it once it has settled; undefined where that is as before. */
  readonly toJudge: string | undefined
}

/** A trace that has settled, and what is to be judged of it. */
export type Settled = Pick<Assembly, 'workspaceId' | 'otelTraceId'> & { readonly toJudge: string }

export type AssemblyPlan = {
  revision: number
  traces: { workspaceId: string; otelTraceId: string; traces: AssembledTrace[] }[]
}

/** A trace that was quiet for so long is taken for whole. */
export const quietMs = 90_000
const rowsPerStatement = 500
const turn = 'assembly'

export type AssemblyBooks = ReturnType<typeof assemblyBooks>

export function assemblyBooks(database: Database) {
  const { sql } = database
  return {
    /** Notes that spans came: a new trace is due at once, one with an ended root too, others after their pause. */
    addArrivals: (arrivals: readonly SpanArrival[], now: Date) => addArrivals(sql, arrivals, now),
    /** Those that are due, the longest first. */
    due: (now: Date, limit: number) => due(sql, now, limit),
    /** Has traces assembled anew, though nothing came; those that are no longer known stay as they are. */
    redo: async (workspaceId: string, otelTraceIds: readonly string[], now: Date) =>
      void (await sql`
        UPDATE assemblies SET due_at = ${now.getTime()}, arrivals = arrivals + 1, digest = ''
        WHERE workspace_id = ${workspaceId} AND otel_trace_id IN (${otelTraceIds})`),
    /** When the next is due; undefined when none is. */
    nextDueMs: () => nextDueMs(sql),
    /** The assembly of one trace. */
    find: (keys: AssemblyPlan['traces']) => find(sql, keys),
    /** Takes or keeps the turn, with a new revision; undefined while another node has it. */
    takeTurn: (holder: string, now: Date, forMs: number) => takeTurn(sql, holder, now, forMs),
    /** Writes down what is about to be stored; false if the turn is another's by now. */
    begin: (plan: AssemblyPlan) => begin(sql, plan),
    /** The plans that were not finished, the oldest first. */
    unfinished: () => unfinished(sql),
    /** Adds to an unfinished plan. */
    widen: (plan: AssemblyPlan) => widen(sql, plan),
    /** The plan is carried out, or there was nothing to store. */
    finish: (revision: number | undefined, assembled: readonly Assembled[]) =>
      database.transaction((tx) => finish(tx, revision, assembled)),
    /** Those that have settled and are to be judged, the longest first. */
    settled: (now: Date, limit: number) => settled(sql, now, limit),
    /** They are in the queue of evaluations, as they were then. */
    queued: (them: readonly Settled[]) => database.transaction((tx) => queued(tx, them)),
    /** Forgets traces that began before: later spans begin another. */
    forgetBefore: (before: Date) =>
      sql`DELETE FROM assemblies WHERE first_at < ${before.getTime()} AND due_at IS NULL`,
  }
}

async function addArrivals(sql: Sql, arrivals: readonly SpanArrival[], now: Date): Promise<void> {
  const dueAt = now.getTime()
  // In one order for all, so that two nodes never wait for each other's rows.
  const sorted = arrivals.toSorted(byKey)
  for (let start = 0; start < sorted.length; start += rowsPerStatement) {
    const rows = sorted.slice(start, start + rowsPerStatement).map((of) => {
      const settlesAt = of.hasEndedRoot ? dueAt : of.lastAtMs + quietMs
      return [
        of.workspaceId,
        of.otelTraceId,
        of.firstAtMs,
        of.lastAtMs,
        1,
        of.spans,
        dueAt,
        0,
        settlesAt,
        '[]',
        '',
      ]
    })
    // An ended root is told by what settles now.
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

/** By the index of what is to be judged. One of which more has come is assembled first. */
async function settled(sql: Sql, now: Date, limit: number): Promise<Settled[]> {
  const rows = await sql<{ workspace_id: string; otel_trace_id: string; to_judge: string }>`
    SELECT workspace_id, otel_trace_id, to_judge FROM assemblies
    WHERE to_judge IS NOT NULL AND settles_at <= ${now.getTime()} AND due_at IS NULL
    ORDER BY settles_at LIMIT ${limit}`
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    otelTraceId: row.otel_trace_id,
    toJudge: row.to_judge,
  }))
}

async function queued(sql: Sql, them: readonly Settled[]): Promise<void> {
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
}

/** By the index of what is due. */
async function due(sql: Sql, now: Date, limit: number): Promise<Assembly[]> {
  const rows = await sql<AssemblyRow>`
    SELECT workspace_id, otel_trace_id, first_at, last_at, arrivals, spans, traces, digest FROM assemblies
    WHERE due_at IS NOT NULL AND due_at <= ${now.getTime()} ORDER BY due_at LIMIT ${limit}`
  return rows.map(toAssembly)
}

async function nextDueMs(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ next: number | null }>`
    SELECT min(due_at) AS next FROM assemblies WHERE due_at IS NOT NULL`
  return row?.next ?? undefined
}

/** By primary key. */
async function find(sql: Sql, keys: AssemblyPlan['traces']): Promise<Assembly[]> {
  const found: Assembly[] = []
  for (const [workspaceId, of] of Map.groupBy(keys, (key) => key.workspaceId)) {
    for (let start = 0; start < of.length; start += rowsPerStatement) {
      const ids = of.slice(start, start + rowsPerStatement).map(({ otelTraceId }) => otelTraceId)
      const rows = await sql<AssemblyRow>`
        SELECT workspace_id, otel_trace_id, first_at, last_at, arrivals, spans, traces, digest FROM assemblies
        WHERE workspace_id = ${workspaceId} AND otel_trace_id IN (${ids})`
      found.push(...rows.map(toAssembly))
    }
  }
  return found
}

async function takeTurn(sql: Sql, holder: string, now: Date, forMs: number): Promise<number | undefined> {
  const [row] = await sql<{ revision: number }>`
    INSERT INTO assembly_turn (name, holder, held_until, revision)
    VALUES (${turn}, ${holder}, ${now.getTime() + forMs}, 1)
    ON CONFLICT (name) DO UPDATE SET
      holder = excluded.holder, held_until = excluded.held_until, revision = assembly_turn.revision + 1
    WHERE assembly_turn.holder = excluded.holder OR assembly_turn.held_until < ${now.getTime()}
    RETURNING revision`
  return row?.revision
}

/** Whoever took the turn since has moved the revision. */
async function begin(sql: Sql, { revision, traces }: AssemblyPlan): Promise<boolean> {
  const [row] = await sql<{ revision: number }>`
    INSERT INTO assembly_plans (revision, traces)
    SELECT revision, CAST(${planText(traces)} AS text) FROM assembly_turn
    WHERE name = ${turn} AND revision = ${revision}
    RETURNING revision`
  return row !== undefined
}

async function unfinished(sql: Sql): Promise<AssemblyPlan[]> {
  const rows = await sql<{ revision: number; traces: string }>`
    SELECT revision, traces FROM assembly_plans ORDER BY revision`
  return rows.map(({ revision, traces }) => ({ revision, traces: readPlan(traces) }))
}

async function widen(sql: Sql, { revision, traces }: AssemblyPlan): Promise<void> {
  await sql`UPDATE assembly_plans SET traces = ${planText(traces)} WHERE revision = ${revision}`
}

async function finish(
  sql: Sql,
  revision: number | undefined,
  assembled: readonly Assembled[],
): Promise<void> {
  if (revision !== undefined) {
    const [ended] = await sql<{ revision: number }>`
      DELETE FROM assembly_plans WHERE revision = ${revision} RETURNING revision`
    // Another node took the plan over and has finished it.
    if (ended === undefined) return
  }
  const sorted = assembled.toSorted(byKey)
  for (let start = 0; start < sorted.length; start += rowsPerStatement) {
    const rows = sorted
      .slice(start, start + rowsPerStatement)
      .map((of) => [
        of.workspaceId,
        of.otelTraceId,
        of.firstAtMs,
        of.lastAtMs,
        of.arrivals,
        0,
        of.isUnsure ? of.notBeforeMs : null,
        of.notBeforeMs,
        of.settlesAtMs,
        tracesText(of.traces),
        of.digest,
        of.toJudge ?? '',
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
})

type StoredTraces = readonly (readonly [traceId: string, startUs: string])[]

const stored = (traces: readonly AssembledTrace[]): StoredTraces =>
  traces.map(({ traceId, startUs }) => [traceId, String(startUs)])
const tracesText = (traces: readonly AssembledTrace[]): string => JSON.stringify(stored(traces))
const readTraces = (of: StoredTraces): AssembledTrace[] =>
  of.map(([traceId, startUs]) => ({ traceId, startUs: BigInt(startUs) }))

const planText = (traces: AssemblyPlan['traces']): string =>
  JSON.stringify(traces.map((of) => [of.workspaceId, of.otelTraceId, stored(of.traces)]))

const readPlan = (text: string): AssemblyPlan['traces'] =>
  (JSON.parse(text) as [string, string, StoredTraces][]).map(([workspaceId, otelTraceId, traces]) => ({
    workspaceId,
    otelTraceId,
    traces: readTraces(traces),
  }))

type Key = Pick<Assembly, 'workspaceId' | 'otelTraceId'>

function byKey(one: Key, other: Key): number {
  if (one.workspaceId !== other.workspaceId) return one.workspaceId < other.workspaceId ? -1 : 1
  return one.otelTraceId < other.otelTraceId ? -1 : 1
}
