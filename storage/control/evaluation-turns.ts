/**
 * Which evaluations of a lane begin. Each evaluator of a lane has its turn: the one of which the fewest are under way
 * comes first, so that neither a long backlog nor slow judging of one keeps another waiting.
 */
import { allowedOf } from './connection-limits.ts'
import { columnsOfLane, type LaneColumns, type LaneKey } from './evaluation-lanes.ts'
import { type Evaluation, type EvaluationRow, toEvaluation } from './evaluation-rows.ts'
import type { Database, Sql } from './sql.ts'

export type Beginning = {
  readonly holder: string
  readonly limit: number
  readonly lostAt: Date
  readonly now: Date
  /** Of a connection that states none. */
  readonly concurrencyMax: number
}

/** What was begun, and why nothing more was: `until` when it is worth another look. */
export type Begun = { evaluations: Evaluation[]; held?: { problem: string; until: Date } }

/** The lane's row is locked first, so of several nodes that look at a lane one counts and begins at a time. */
export async function begin(
  database: Database,
  sql: Sql,
  key: LaneKey,
  { holder, limit, lostAt, now, concurrencyMax }: Beginning,
): Promise<Begun> {
  const lane = columnsOfLane(key)
  const { workspaceId, connection, model } = lane
  const allowed =
    connection === ''
      ? { count: limit }
      : await allowedOf(sql, { workspaceId, connection, concurrencyMax, now })
  if ('held' in allowed) return { evaluations: [], held: allowed.held }
  await sql`
    UPDATE evaluation_lanes SET due_at = due_at
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}`
  const count = Math.min(limit, allowed.count)
  const ids = count <= 0 ? [] : shareOut(count, await readyIn(database, sql, lane, { now, count }))
  const rows = await sql<EvaluationRow>`
    UPDATE evaluations SET status = 'running', holder = ${holder}, due_at = ${lostAt.getTime()},
      attempts = attempts + 1, changed_at = ${now.getTime()}
    WHERE id IN (${ids})
    RETURNING id, workspace_id, trace_id, log_id, evaluator_slug, evaluator_version, connection_id, model, status,
      attempts, due_at, deadline_at, problem, value, comment, cost, input_tokens, output_tokens, created_at, changed_at`
  await noteFirstDue(sql, lane)
  return { evaluations: rows.map(toEvaluation) }
}

/** What of an evaluator is due in a lane, the longest first, and how many of it are under way. */
export type Ready = { readonly running: number; readonly due: readonly { id: string; due_at: number }[] }

/** Ids of those that may begin, up to so many: each goes to the evaluator with the fewest, then to the one that is due longest. */
export function shareOut(count: number, ready: readonly Ready[]): string[] {
  const ids: string[] = []
  const turns = ready.map(({ running, due }) => ({ running, due, taken: 0 }))
  while (ids.length < count) {
    let next: (typeof turns)[number] | undefined
    for (const turn of turns) {
      if (turn.taken === turn.due.length) continue
      if (next === undefined || isBefore(turn, next)) next = turn
    }
    if (next === undefined) break
    ids.push(next.due[next.taken]!.id)
    next.taken += 1
  }
  return ids
}

type Turn = Ready & { readonly taken: number }

function isBefore(one: Turn, other: Turn): boolean {
  const [first, second] = [one, other].map(({ running, taken }) => running + taken) as [number, number]
  return first === second ? one.due[one.taken]!.due_at < other.due[other.taken]!.due_at : first < second
}

/** By the index of the lane, evaluator by evaluator. A row that another node has just taken is passed over, where there are other nodes. */
async function readyIn(
  database: Database,
  sql: Sql,
  { workspaceId, connection, model }: LaneColumns,
  { now, count }: { readonly now: Date; readonly count: number },
): Promise<Ready[]> {
  const running = await sql<{ evaluator_slug: string; count: number }>`
    SELECT evaluator_slug, count(*) AS count FROM evaluations
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
      AND status = 'running'
    GROUP BY evaluator_slug`
  const runningOf = new Map(running.map((row) => [row.evaluator_slug, row.count]))
  const ready: Ready[] = []
  for (const slug of await waitingIn(sql, { workspaceId, connection, model })) {
    const due =
      database.engine === 'PostgreSQL'
        ? await sql<{ id: string; due_at: number }>`
            SELECT id, due_at FROM evaluations
            WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
              AND evaluator_slug = ${slug} AND status = 'waiting' AND due_at <= ${now.getTime()}
            ORDER BY due_at LIMIT ${count} FOR UPDATE SKIP LOCKED`
        : await sql<{ id: string; due_at: number }>`
            SELECT id, due_at FROM evaluations
            WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
              AND evaluator_slug = ${slug} AND status = 'waiting' AND due_at <= ${now.getTime()}
            ORDER BY due_at LIMIT ${count}`
    ready.push({ running: runningOf.get(slug) ?? 0, due })
  }
  return ready
}

/** Evaluators of which something waits in a lane: the index is leapt through, however much waits of each. */
async function waitingIn(sql: Sql, { workspaceId, connection, model }: LaneColumns): Promise<string[]> {
  const rows = await sql<{ slug: string }>`
    WITH RECURSIVE slugs (slug) AS (
      SELECT min(evaluator_slug) FROM evaluations
      WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
        AND status = 'waiting'
      UNION ALL
      SELECT (SELECT min(evaluator_slug) FROM evaluations
        WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
          AND status = 'waiting' AND evaluator_slug > slugs.slug)
      FROM slugs WHERE slugs.slug IS NOT NULL
    )
    SELECT slug FROM slugs WHERE slug IS NOT NULL`
  return rows.map(({ slug }) => slug)
}

/** The lane says when the first that still waits in it is due. */
export async function noteFirstDue(sql: Sql, lane: LaneColumns): Promise<void> {
  const { workspaceId, connection, model } = lane
  let first: number | null = null
  for (const slug of await waitingIn(sql, lane)) {
    const [row] = await sql<{ due: number | null }>`
      SELECT min(due_at) AS due FROM evaluations
      WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
        AND evaluator_slug = ${slug} AND status = 'waiting'`
    const due = row?.due ?? null
    if (due !== null && (first === null || due < first)) first = due
  }
  await sql`
    UPDATE evaluation_lanes SET due_at = ${first}
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}`
}
