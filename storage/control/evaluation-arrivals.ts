/**
 * What was drawn and has yet to come into the queue of evaluations. It is written while records are moved to the trace
 * store, a row for many traces, so that recording does not wait until each evaluation has a row of its own.
 */
import type { Database, Sql } from './sql.ts'

export type Arrival = {
  /** Follows from the records, so that those that are drained again are the same. */
  readonly id: string
  readonly workspaceId: string
  /** JSON of the traces, with who judges them. */
  readonly sampled: string
  /** At most so many evaluations come of it. */
  readonly evaluations: number
}

/** Adds what is not there yet. */
export async function arrive(sql: Sql, arrivals: readonly Arrival[], now: Date): Promise<void> {
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

/** The first that no node has taken, held for a time; undefined if there is none. By the index of ages. */
export async function takeArrival(
  database: Database,
  sql: Sql,
  { now, lostAt }: { readonly now: Date; readonly lostAt: Date },
): Promise<Arrival | undefined> {
  const [found] =
    database.engine === 'PostgreSQL'
      ? await sql<{ id: string }>`
          SELECT id FROM evaluation_arrivals WHERE held_until <= ${now.getTime()}
          ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`
      : await sql<{ id: string }>`
          SELECT id FROM evaluation_arrivals WHERE held_until <= ${now.getTime()}
          ORDER BY created_at, id LIMIT 1`
  if (found === undefined) return undefined
  const [taken] = await sql<{ id: string; workspace_id: string; sampled: string; evaluations: number }>`
    UPDATE evaluation_arrivals SET held_until = ${lostAt.getTime()} WHERE id = ${found.id}
    RETURNING id, workspace_id, sampled, evaluations`
  return (
    taken && {
      id: taken.id,
      workspaceId: taken.workspace_id,
      sampled: taken.sampled,
      evaluations: taken.evaluations,
    }
  )
}

/** It is in the queue. */
export async function forgetArrival(sql: Sql, id: string): Promise<void> {
  await sql`DELETE FROM evaluation_arrivals WHERE id = ${id}`
}
