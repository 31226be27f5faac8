/**
 * Claims evaluations of a concurrency group with fair shares: the evaluator with the fewest running evaluations comes
 * first, so that neither a long backlog nor a slow evaluator starves the others.
 */

import type { Database, Sql } from '../store/sql.ts'
import { countAllowed } from './connection-limits.ts'
import { columnsOfGroup, type GroupColumns, type GroupKey } from './evaluation-groups.ts'
import { type Evaluation, type EvaluationRow, toEvaluation } from './evaluation-rows.ts'

export type EvaluationClaim = {
  readonly leaseOwner: string
  readonly limit: number
  readonly leaseExpiresAt: Date
  readonly now: Date
  /** The default for connections without a limit. */
  readonly concurrencyMax: number
}

/** The claimed evaluations; `pause` says why none may start, and until when. */
export type ClaimedEvaluations = { evaluations: Evaluation[]; pause?: { problem: string; until: Date } }

/** Locks the group's row first, so that one node at a time counts and claims. */
export async function claimEvaluations(
  database: Database,
  sql: Sql,
  group: GroupKey,
  { leaseOwner, limit, leaseExpiresAt, now, concurrencyMax }: EvaluationClaim,
): Promise<ClaimedEvaluations> {
  const columns = columnsOfGroup(group)
  const { workspaceId, connection, model } = columns
  const allowed =
    connection === ''
      ? { count: limit }
      : await countAllowed(sql, { workspaceId, connection, concurrencyMax, now })
  if ('pause' in allowed) return { evaluations: [], pause: allowed.pause }
  await sql`
    UPDATE evaluation_groups SET due_at = due_at
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}`
  const count = Math.min(limit, allowed.count)
  const ids = count <= 0 ? [] : shareOut(count, await readyIn(database, sql, columns, { now, count }))
  const rows = await sql<EvaluationRow>`
    UPDATE evaluations SET status = 'running', lease_owner = ${leaseOwner}, due_at = ${leaseExpiresAt.getTime()},
      attempts = attempts + 1, changed_at = ${now.getTime()}
    WHERE id IN (${ids})
    RETURNING id, workspace_id, trace_id, log_id, evaluator_slug, evaluator_version, connection_id, model, status,
      attempts, due_at, deadline_at, problem, value, comment, cost, input_tokens, output_tokens, judge_trace_id, session_id, created_at, changed_at`
  await noteFirstDue(sql, columns)
  return { evaluations: rows.map(toEvaluation) }
}

/** The due evaluations of one evaluator in a group, the longest overdue first, and how many are running. */
export type Ready = { readonly running: number; readonly due: readonly { id: string; due_at: number }[] }

/** Ids of up to `count` evaluations to claim: each place goes to the evaluator with the fewest running, then to the longest overdue. */
function shareOut(count: number, ready: readonly Ready[]): string[] {
  const ids: string[] = []
  const shares = ready.map(({ running, due }) => ({ running, due, places: 0 }))
  while (ids.length < count) {
    let next: (typeof shares)[number] | undefined
    for (const share of shares) {
      if (share.places === share.due.length) continue
      if (next === undefined || isBefore(share, next)) next = share
    }
    if (next === undefined) break
    ids.push(next.due[next.places]!.id)
    next.places += 1
  }
  return ids
}

type Share = Ready & { readonly places: number }

function isBefore(a: Share, b: Share): boolean {
  const [first, second] = [a, b].map(({ running, places }) => running + places) as [number, number]
  return first === second ? a.due[a.places]!.due_at < b.due[b.places]!.due_at : first < second
}

/** Served by the index of the group, evaluator by evaluator. Skips rows that another node is claiming; SQLite has one node. */
async function readyIn(
  database: Database,
  sql: Sql,
  { workspaceId, connection, model }: GroupColumns,
  { now, count }: { readonly now: Date; readonly count: number },
): Promise<Ready[]> {
  const runningRows = await sql<{ evaluator_slug: string; count: number }>`
    SELECT evaluator_slug, count(*) AS count FROM evaluations
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
      AND status = 'running'
    GROUP BY evaluator_slug`
  const runningOf = new Map(runningRows.map((row) => [row.evaluator_slug, row.count]))
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

/** Evaluators with queued evaluations in a group: a loose index scan, whose cost does not depend on the backlog. */
async function waitingIn(sql: Sql, { workspaceId, connection, model }: GroupColumns): Promise<string[]> {
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

/** Sets a group's due time to that of its first queued evaluation. */
export async function noteFirstDue(sql: Sql, group: GroupColumns): Promise<void> {
  const { workspaceId, connection, model } = group
  let first: number | null = null
  for (const slug of await waitingIn(sql, group)) {
    const [row] = await sql<{ due: number | null }>`
      SELECT min(due_at) AS due FROM evaluations
      WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
        AND evaluator_slug = ${slug} AND status = 'waiting'`
    const due = row?.due ?? null
    if (due !== null && (first === null || due < first)) first = due
  }
  await sql`
    UPDATE evaluation_groups SET due_at = ${first}
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}`
}
