/** What keeps the queue of evaluations in order: what a node has lost, what is late, what is long over, and counts. */
import { type LaneKey, laneOf, noteDue } from './evaluation-lanes.ts'
import { noteFirstDue } from './evaluation-turns.ts'
import type { Sql } from './sql.ts'

/** So many of a lane fail at a time for being late. */
const sweptMax = 1000

/** What is said of an evaluation that waited too long, before the reason. */
export const lateProblem = 'It was not judged before its deadline.'

type Taken = { workspace_id: string; connection_id: string; model: string }

/** What a node has begun waits again: it was stopped, or the time that it may hold it is over. */
export async function takeBack(
  sql: Sql,
  from: { holder: string } | { lostBefore: Date },
  now: Date,
): Promise<void> {
  const at = now.getTime()
  const rows =
    'holder' in from
      ? await sql<Taken>`
          UPDATE evaluations SET status = 'waiting', due_at = ${at}, changed_at = ${at}
          WHERE status = 'running' AND holder = ${from.holder} RETURNING workspace_id, connection_id, model`
      : await sql<Taken>`
          UPDATE evaluations SET status = 'waiting', due_at = ${at}, changed_at = ${at},
            problem = 'The node that judged it went away.'
          WHERE status = 'running' AND due_at < ${from.lostBefore.getTime()}
          RETURNING workspace_id, connection_id, model`
  await noteDue(
    sql,
    rows.map((row): LaneKey & { dueMs: number } => ({ ...laneOf(row), dueMs: at })),
  )
}

/** Those of each lane that have been due for so long; one that is begun is looked at when it is. True if there may be more. */
export async function failLate(sql: Sql, dueBefore: Date, now: Date): Promise<boolean> {
  const lanes = await sql<Taken & { problem: string | null }>`
    SELECT workspace_id, connection_id, model, problem FROM evaluation_lanes WHERE due_at < ${dueBefore.getTime()}`
  let isMore = false
  for (const { workspace_id: workspaceId, connection_id: connection, model, problem } of lanes) {
    const late = await sql<{ id: string }>`
      SELECT id FROM evaluations
      WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
        AND status = 'waiting' AND due_at < ${dueBefore.getTime()}
      LIMIT ${sweptMax}`
    await sql`
      UPDATE evaluations SET status = 'failed', changed_at = ${now.getTime()},
        problem = ${`${lateProblem} ${problem ?? ''}`.trim()}
      WHERE id IN (${late.map(({ id }) => id)}) AND status = 'waiting'`
    await noteFirstDue(sql, { workspaceId, connection, model })
    isMore ||= late.length === sweptMax
  }
  return isMore
}

/** What ended well or was skipped is kept for a time, so that a record that is drained again is known. */
export async function forget(
  sql: Sql,
  { ended, failed }: { readonly ended: Date; readonly failed: Date },
): Promise<void> {
  await sql`
    DELETE FROM evaluations WHERE (status IN ('done', 'skipped') AND changed_at < ${ended.getTime()})
      OR (status = 'failed' AND changed_at < ${failed.getTime()})`
  await sql`DELETE FROM evaluation_spend WHERE day < ${failed.getTime()}`
}

/** By the indexes of what is under way: what ended is many times as much. What has yet to come in waits too. */
export async function totals(sql: Sql): Promise<{ waiting: number; running: number; judged: number }> {
  const [waiting] = await sql<Count>`SELECT count(*) AS count FROM evaluations WHERE status = 'waiting'`
  const [running] = await sql<Count>`SELECT count(*) AS count FROM evaluations WHERE status = 'running'`
  const [judged] = await sql<Count>`SELECT count(*) AS count FROM evaluations WHERE status = 'judged'`
  const [arriving] = await sql<Count>`
    SELECT coalesce(sum(evaluations), 0) AS count FROM evaluation_arrivals`
  return {
    waiting: (waiting?.count ?? 0) + (arriving?.count ?? 0),
    running: running?.count ?? 0,
    judged: judged?.count ?? 0,
  }
}

type Count = { count: number }
