/** Evaluations as their workspace reads them: queued ones with the reason they wait, results, and retries of failures. */

import { afterAll, type Page, type PageKey, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import { type GroupKey, groupOf } from './evaluation-groups.ts'
import {
  type Evaluation,
  type EvaluationRow,
  type EvaluationStatus,
  evaluationStatuses,
  toEvaluation,
} from './evaluation-rows.ts'

export type EvaluationFilters = {
  readonly statuses?: readonly EvaluationStatus[]
  readonly evaluatorSlug?: string | undefined
  readonly traceId?: string | undefined
}

export type EvaluationCounts = {
  waiting: number
  /** Includes those whose verdict is not stored yet. */
  running: number
  failed: number
  doneSince: number
  skippedSince: number
  costSince: number
  /** When the oldest waiting evaluation was created. */
  waitingSince: Date | undefined
}

/** Queued evaluations of one concurrency group, and why the group waits. */
export type WaitingGroup = Pick<GroupKey, 'target' | 'isCode'> & {
  waiting: number
  problem: string | undefined
  until: Date | undefined
}

const retriedPerStatement = 500
const tracesPerStatement = 500

/** Evaluations, last changed first; by the indexes of statuses and of traces. */
export async function list(
  { sql, workspaceId }: WorkspaceDb,
  { statuses = evaluationStatuses, evaluatorSlug = undefined, traceId = undefined }: EvaluationFilters,
  { limit, after = afterAll }: PageRequest,
): Promise<Page<Evaluation>> {
  const [slug, trace] = [evaluatorSlug ?? null, traceId ?? null]
  const matches: EvaluationRow[] = []
  for (const status of statuses)
    matches.push(
      ...(await sql<EvaluationRow>`
        SELECT id, workspace_id, trace_id, log_id, evaluator_slug, evaluator_version, connection_id, model, status,
          attempts, due_at, deadline_at, problem, value, comment, cost, input_tokens, output_tokens, judge_trace_id, session_id, created_at,
          changed_at
        FROM evaluations
        WHERE workspace_id = ${workspaceId} AND status = ${status}
          AND (changed_at, id) < (${after.position}, ${after.id})
          AND (CAST(${slug} AS text) IS NULL OR evaluator_slug = ${slug})
          AND (CAST(${trace} AS text) IS NULL OR trace_id = ${trace})
        ORDER BY changed_at DESC, id DESC LIMIT ${rowsToRead(limit)}`),
    )
  matches.sort(byChange)
  const keyOf = (row: EvaluationRow): PageKey => ({ position: row.changed_at, id: row.id })
  const { rows, next } = pageOf(matches, limit, keyOf)
  return { items: rows.map(toEvaluation), ...(next === undefined ? {} : { next }) }
}

function byChange(a: EvaluationRow, b: EvaluationRow): number {
  if (a.changed_at !== b.changed_at) return b.changed_at - a.changed_at
  return a.id < b.id ? 1 : -1
}

/** Counts by status, by the index of statuses; finished ones since a time. */
export async function counts({ sql, workspaceId }: WorkspaceDb, start: Date): Promise<EvaluationCounts> {
  const unfinished = await sql<{ status: EvaluationStatus; count: number; first: number }>`
    SELECT status, count(*) AS count, min(created_at) AS first FROM evaluations
    WHERE workspace_id = ${workspaceId} AND status IN ('waiting', 'running', 'judged', 'failed') GROUP BY status`
  const ended = await sql<{ status: EvaluationStatus; count: number; cost: number | null }>`
    SELECT status, count(*) AS count, sum(cost) AS cost FROM evaluations
    WHERE workspace_id = ${workspaceId} AND status IN ('done', 'skipped') AND changed_at >= ${start.getTime()}
    GROUP BY status`
  const [arriving] = await sql<{ count: number; first: number | null }>`
    SELECT coalesce(sum(evaluations), 0) AS count, min(created_at) AS first FROM evaluation_arrivals
    WHERE workspace_id = ${workspaceId}`
  const countByStatus = new Map<EvaluationStatus, number>(
    [...unfinished, ...ended].map((row) => [row.status, row.count]),
  )
  const firsts = [unfinished.find(({ status }) => status === 'waiting')?.first, arriving?.first]
  const first = firsts.reduce<number | undefined>(
    (least, createdAtMs) =>
      createdAtMs == null || (least !== undefined && least < createdAtMs) ? least : createdAtMs,
    undefined,
  )
  return {
    waiting: (countByStatus.get('waiting') ?? 0) + (arriving?.count ?? 0),
    running: (countByStatus.get('running') ?? 0) + (countByStatus.get('judged') ?? 0),
    failed: countByStatus.get('failed') ?? 0,
    doneSince: countByStatus.get('done') ?? 0,
    skippedSince: countByStatus.get('skipped') ?? 0,
    costSince: ended.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    waitingSince: first === undefined ? undefined : new Date(first),
  }
}

/** Concurrency groups with queued evaluations, by primary key. */
export async function groups({ sql, workspaceId }: WorkspaceDb, now: Date): Promise<WaitingGroup[]> {
  const rows = await sql<{
    connection_id: string
    model: string
    problem: string | null
    held_until: number
    waiting: number
  }>`
    SELECT g.connection_id, g.model, g.problem, g.held_until, (
      SELECT count(*) FROM evaluations AS of
      WHERE of.workspace_id = g.workspace_id AND of.connection_id = g.connection_id
        AND of.model = g.model AND of.status = 'waiting') AS waiting
    FROM evaluation_groups AS g
    WHERE g.workspace_id = ${workspaceId} AND g.due_at IS NOT NULL
    ORDER BY g.connection_id, g.model`
  return rows.map(({ problem, held_until, waiting, ...columns }) => {
    const { target, isCode } = groupOf({ workspace_id: workspaceId, ...columns })
    const isHeld = held_until > now.getTime()
    return {
      target,
      isCode,
      waiting,
      problem: isHeld ? (problem ?? undefined) : undefined,
      until: isHeld ? new Date(held_until) : undefined,
    }
  })
}

/** The progress of evaluations of whole traces. `requestedKeys` has a `TRACE EVALUATOR` entry for each; by the index of traces. */
export async function progressOf(
  { sql, workspaceId }: WorkspaceDb,
  traceIds: readonly string[],
): Promise<{ waiting: number; judged: number; failed: number; requestedKeys: Set<string> }> {
  const progress = { waiting: 0, judged: 0, failed: 0, requestedKeys: new Set<string>() }
  for (let start = 0; start < traceIds.length; start += tracesPerStatement) {
    const rows = await sql<{ trace_id: string; evaluator_slug: string; status: EvaluationStatus }>`
      SELECT trace_id, evaluator_slug, status FROM evaluations
      WHERE workspace_id = ${workspaceId} AND log_id = ''
        AND trace_id IN (${traceIds.slice(start, start + tracesPerStatement)})`
    for (const { trace_id: traceId, evaluator_slug: slug, status } of rows) {
      progress.requestedKeys.add(`${traceId} ${slug}`)
      if (status === 'failed') progress.failed += 1
      else if (status === 'done' || status === 'skipped') progress.judged += 1
      else progress.waiting += 1
    }
  }
  return progress
}

/** Queues failed evaluations again with their attempts reset: the given ids or all, optionally of one evaluator. */
export function retry(
  db: WorkspaceDb,
  filters: { readonly ids?: readonly string[] | undefined; readonly evaluatorSlug?: string | undefined },
  { now, deadlineAt }: { readonly now: Date; readonly deadlineAt: Date },
): Promise<number> {
  return db.transaction(async ({ sql, workspaceId }) => {
    const slug = filters.evaluatorSlug ?? null
    let count = 0
    const retryBatch = async (ids: readonly string[]): Promise<void> => {
      const rows = await sql<{ connection_id: string; model: string }>`
        UPDATE evaluations SET status = 'waiting', attempts = 0, problem = NULL, due_at = ${now.getTime()},
          deadline_at = ${deadlineAt.getTime()}, changed_at = ${now.getTime()}
        WHERE workspace_id = ${workspaceId} AND status = 'failed' AND id IN (${ids})
          AND (CAST(${slug} AS text) IS NULL OR evaluator_slug = ${slug})
        RETURNING connection_id, model`
      count += rows.length
      const groups = new Map(rows.map((row) => [JSON.stringify([row.connection_id, row.model]), row]))
      for (const [, group] of [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)))
        await sql`
          UPDATE evaluation_groups SET due_at = CASE
            WHEN due_at < ${now.getTime()} THEN due_at ELSE ${now.getTime()} END
          WHERE workspace_id = ${workspaceId} AND connection_id = ${group.connection_id} AND model = ${group.model}`
    }
    const ids =
      filters.ids ??
      (
        await sql<{ id: string }>`
          SELECT id FROM evaluations WHERE workspace_id = ${workspaceId} AND status = 'failed'
            AND (CAST(${slug} AS text) IS NULL OR evaluator_slug = ${slug}) ORDER BY id`
      ).map(({ id }) => id)
    for (let start = 0; start < ids.length; start += retriedPerStatement)
      await retryBatch(ids.slice(start, start + retriedPerStatement))
    return count
  })
}
