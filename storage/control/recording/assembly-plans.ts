/** Which node assembles, what it is about to store, and which traces are paused. */
import type { Sql } from '../store/sql.ts'
import {
  type AssembledTrace,
  type AssemblyKey,
  readTraces,
  rowsPerStatement,
  type StoredTraces,
  storedTracesOf,
} from './assembly-keys.ts'

export type AssemblyPlan = {
  revision: number
  traces: { workspaceId: string; otelTraceId: string; traces: AssembledTrace[] }[]
}

const lockName = 'assembly'

/**
 * Revisions start at the time in microseconds, by the clock of the machine: a trace store that an earlier control plane
 * has written to, as after a restore, recognizes inserts by their revision and would drop those of a repeated one.
 */
const firstRevision = (): number => Math.floor((performance.timeOrigin + performance.now()) * 1000)

export async function claimLease(
  sql: Sql,
  leaseOwner: string,
  now: Date,
  forMs: number,
): Promise<number | undefined> {
  const [row] = await sql<{ revision: number }>`
    INSERT INTO assembly_turn (name, holder, held_until, revision)
    VALUES (${lockName}, ${leaseOwner}, ${now.getTime() + forMs}, ${firstRevision()})
    ON CONFLICT (name) DO UPDATE SET
      holder = excluded.holder, held_until = excluded.held_until, revision = assembly_turn.revision + 1
    WHERE assembly_turn.holder = excluded.holder OR assembly_turn.held_until < ${now.getTime()}
    RETURNING revision`
  return row?.revision
}

/** A node that acquired the lease since has bumped the revision. */
export async function storePlan(sql: Sql, { revision, traces }: AssemblyPlan): Promise<boolean> {
  const [row] = await sql<{ revision: number }>`
    INSERT INTO assembly_plans (revision, traces)
    SELECT revision, CAST(${planText(traces)} AS text) FROM assembly_turn
    WHERE name = ${lockName} AND revision = ${revision}
    RETURNING revision`
  return row !== undefined
}

/** The name of a trace's pause among the leases. */
export const pauseName = ({ workspaceId, otelTraceId }: AssemblyKey): string =>
  `${workspaceId} ${otelTraceId}`

/**
 * One side pauses a trace and then looks for plans, the other begins a plan and then looks for pauses, so at least one
 * sees the other.
 */
export async function pause(
  sql: Sql,
  keys: readonly AssemblyKey[],
  leaseOwner: string,
  end: Date,
): Promise<void> {
  for (let start = 0; start < keys.length; start += rowsPerStatement) {
    const rows = keys
      .slice(start, start + rowsPerStatement)
      .map((key) => [pauseName(key), leaseOwner, end.getTime(), 0])
    await sql`
      INSERT INTO assembly_turn (name, holder, held_until, revision) VALUES ${rows}
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until`
  }
}

export async function resume(sql: Sql, keys: readonly AssemblyKey[]): Promise<void> {
  for (let start = 0; start < keys.length; start += rowsPerStatement) {
    const names = keys.slice(start, start + rowsPerStatement).map(pauseName)
    await sql`DELETE FROM assembly_turn WHERE name IN (${names})`
  }
}

/** The table contains the lease and the few traces that are being changed. */
export async function listPaused(sql: Sql, now: Date): Promise<ReadonlySet<string>> {
  const rows = await sql<{ name: string }>`
    SELECT name FROM assembly_turn WHERE name <> ${lockName} AND held_until > ${now.getTime()}`
  return new Set(rows.map(({ name }) => name))
}

export async function listUnfinished(sql: Sql): Promise<AssemblyPlan[]> {
  const rows = await sql<{ revision: number; traces: string }>`
    SELECT revision, traces FROM assembly_plans ORDER BY revision`
  return rows.map(({ revision, traces }) => ({ revision, traces: readPlan(traces) }))
}

/** Only a node with the last revision of the lease can begin a plan. */
export async function findCompleted(sql: Sql): Promise<{ endRevision: number; isOneUnfinished: boolean }> {
  const [row] = await sql<{ unfinished: number | null; last: number | null }>`
    SELECT (SELECT min(revision) FROM assembly_plans) AS unfinished,
      (SELECT revision FROM assembly_turn WHERE name = ${lockName}) AS last`
  return { endRevision: row?.unfinished ?? row?.last ?? 1, isOneUnfinished: row?.unfinished != null }
}

export async function widen(sql: Sql, { revision, traces }: AssemblyPlan): Promise<void> {
  await sql`UPDATE assembly_plans SET traces = ${planText(traces)} WHERE revision = ${revision}`
}

const planText = (traces: AssemblyPlan['traces']): string =>
  JSON.stringify(traces.map((trace) => [trace.workspaceId, trace.otelTraceId, storedTracesOf(trace.traces)]))

const readPlan = (text: string): AssemblyPlan['traces'] =>
  (JSON.parse(text) as [string, string, StoredTraces][]).map(([workspaceId, otelTraceId, traces]) => ({
    workspaceId,
    otelTraceId,
    traces: readTraces(traces),
  }))
