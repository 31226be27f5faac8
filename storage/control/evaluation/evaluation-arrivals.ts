/**
 * Sampled traces that have yet to be enqueued as evaluations. They are written while records move to the trace store,
 * one row for many traces, so that recording does not wait for a row per evaluation.
 */
import type { Database, Sql } from '../store/sql.ts'

export type Arrival = {
  /** Derived from the records, so that a replay produces the same id. */
  readonly id: string
  readonly workspaceId: string
  /** JSON of the traces with their evaluators. */
  readonly sampled: string
  /** The maximum number of evaluations it results in. */
  readonly evaluations: number
}

/** Adds arrivals, ignoring those that exist. */
export async function addArrivals(sql: Sql, arrivals: readonly Arrival[], now: Date): Promise<void> {
  const rows = arrivals.map(({ id, workspaceId, sampled, evaluations }) => [
    id,
    workspaceId,
    sampled,
    evaluations,
    0,
    now.getTime(),
  ])
  await sql`
    INSERT INTO evaluation_arrivals (id, workspace_id, sampled, evaluations, held_until, created_at)
    VALUES ${rows} ON CONFLICT (id) DO NOTHING`
}

/** Claims the oldest free arrival under a lease; undefined if there is none. By the index of ages. */
export async function claimArrival(
  database: Database,
  sql: Sql,
  { now, leaseExpiresAt }: { readonly now: Date; readonly leaseExpiresAt: Date },
): Promise<Arrival | undefined> {
  const [arrival] =
    database.engine === 'PostgreSQL'
      ? await sql<{ id: string }>`
          SELECT id FROM evaluation_arrivals WHERE held_until <= ${now.getTime()}
          ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`
      : await sql<{ id: string }>`
          SELECT id FROM evaluation_arrivals WHERE held_until <= ${now.getTime()}
          ORDER BY created_at, id LIMIT 1`
  if (arrival === undefined) return undefined
  const [claimed] = await sql<{ id: string; workspace_id: string; sampled: string; evaluations: number }>`
    UPDATE evaluation_arrivals SET held_until = ${leaseExpiresAt.getTime()} WHERE id = ${arrival.id}
    RETURNING id, workspace_id, sampled, evaluations`
  return (
    claimed && {
      id: claimed.id,
      workspaceId: claimed.workspace_id,
      sampled: claimed.sampled,
      evaluations: claimed.evaluations,
    }
  )
}

/** Deletes an arrival whose evaluations are in the queue. */
export async function deleteArrival(sql: Sql, id: string): Promise<void> {
  await sql`DELETE FROM evaluation_arrivals WHERE id = ${id}`
}
