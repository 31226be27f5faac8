/** Evaluations as their workspace sees them: what waits and why, what came of each, and trying again what failed. */
import { type LaneKey, laneOf } from './evaluation-lanes.ts'
import {
  type Evaluation,
  type EvaluationRow,
  type EvaluationStatus,
  evaluationStatuses,
  toEvaluation,
} from './evaluation-rows.ts'
import { afterAll, type Page, type PageKey, type PageRequest, pageOf, rowsToRead } from './page.ts'
import type { WorkspaceDb } from './workspace.ts'

export type EvaluationFilters = {
  readonly statuses?: readonly EvaluationStatus[]
  readonly evaluatorSlug?: string | undefined
  readonly traceId?: string | undefined
}

export type EvaluationCounts = {
  waiting: number
  /** Those with a verdict that is not stored yet are among them. */
  running: number
  failed: number
  doneSince: number
  skippedSince: number
  costSince: number
  /** When the first of those that wait was made. */
  waitingSince: Date | undefined
}

/** What waits for one model, and why if something holds it up. */
export type WaitingLane = Pick<LaneKey, 'asked' | 'isCode'> & {
  waiting: number
  problem: string | undefined
  until: Date | undefined
}

const retriedPerStatement = 500
const tracesPerStatement = 500

/** Evaluations, the last changed first: for each status by its index, of a trace by its own. */
export async function list(
  { sql, workspaceId }: WorkspaceDb,
  { statuses = evaluationStatuses, evaluatorSlug = undefined, traceId = undefined }: EvaluationFilters,
  { limit, after = afterAll }: PageRequest,
): Promise<Page<Evaluation>> {
  const [slug, trace] = [evaluatorSlug ?? null, traceId ?? null]
  const found: EvaluationRow[] = []
  for (const status of statuses)
    found.push(
      ...(await sql<EvaluationRow>`
        SELECT id, workspace_id, trace_id, log_id, evaluator_slug, evaluator_version, connection_id, model, status,
          attempts, due_at, deadline_at, problem, value, comment, cost, input_tokens, output_tokens, created_at,
          changed_at
        FROM evaluations
        WHERE workspace_id = ${workspaceId} AND status = ${status}
          AND (changed_at, id) < (${after.position}, ${after.id})
          AND (CAST(${slug} AS text) IS NULL OR evaluator_slug = ${slug})
          AND (CAST(${trace} AS text) IS NULL OR trace_id = ${trace})
        ORDER BY changed_at DESC, id DESC LIMIT ${rowsToRead(limit)}`),
    )
  found.sort(byChange)
  const keyOf = (row: EvaluationRow): PageKey => ({ position: row.changed_at, id: row.id })
  const { rows, next } = pageOf(found, limit, keyOf)
  return { items: rows.map(toEvaluation), ...(next === undefined ? {} : { next }) }
}

function byChange(one: EvaluationRow, other: EvaluationRow): number {
  if (one.changed_at !== other.changed_at) return other.changed_at - one.changed_at
  return one.id < other.id ? 1 : -1
}

/** How many there are, by the index of statuses; of those that ended, since a time. */
export async function counts({ sql, workspaceId }: WorkspaceDb, since: Date): Promise<EvaluationCounts> {
  const under = await sql<{ status: EvaluationStatus; count: number; first: number }>`
    SELECT status, count(*) AS count, min(created_at) AS first FROM evaluations
    WHERE workspace_id = ${workspaceId} AND status IN ('waiting', 'running', 'judged', 'failed') GROUP BY status`
  const ended = await sql<{ status: EvaluationStatus; count: number; cost: number | null }>`
    SELECT status, count(*) AS count, sum(cost) AS cost FROM evaluations
    WHERE workspace_id = ${workspaceId} AND status IN ('done', 'skipped') AND changed_at >= ${since.getTime()}
    GROUP BY status`
  const [arriving] = await sql<{ count: number; first: number | null }>`
    SELECT coalesce(sum(evaluations), 0) AS count, min(created_at) AS first FROM evaluation_arrivals
    WHERE workspace_id = ${workspaceId}`
  const of = new Map<EvaluationStatus, number>([...under, ...ended].map((row) => [row.status, row.count]))
  const firsts = [under.find(({ status }) => status === 'waiting')?.first, arriving?.first]
  const first = firsts.reduce<number | undefined>(
    (least, of) => (of == null || (least !== undefined && least < of) ? least : of),
    undefined,
  )
  return {
    waiting: (of.get('waiting') ?? 0) + (arriving?.count ?? 0),
    running: (of.get('running') ?? 0) + (of.get('judged') ?? 0),
    failed: of.get('failed') ?? 0,
    doneSince: of.get('done') ?? 0,
    skippedSince: of.get('skipped') ?? 0,
    costSince: ended.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    waitingSince: first === undefined ? undefined : new Date(first),
  }
}

/** Lanes in which something waits, by primary key. */
export async function lanes({ sql, workspaceId }: WorkspaceDb, now: Date): Promise<WaitingLane[]> {
  const rows = await sql<{
    connection_id: string
    model: string
    problem: string | null
    held_until: number
    waiting: number
  }>`
    SELECT lanes.connection_id, lanes.model, lanes.problem, lanes.held_until, (
      SELECT count(*) FROM evaluations AS of
      WHERE of.workspace_id = lanes.workspace_id AND of.connection_id = lanes.connection_id
        AND of.model = lanes.model AND of.status = 'waiting') AS waiting
    FROM evaluation_lanes AS lanes
    WHERE lanes.workspace_id = ${workspaceId} AND lanes.due_at IS NOT NULL
    ORDER BY lanes.connection_id, lanes.model`
  return rows.map(({ problem, held_until, waiting, ...columns }) => {
    const { asked, isCode } = laneOf({ workspace_id: workspaceId, ...columns })
    const isHeld = held_until > now.getTime()
    return {
      asked,
      isCode,
      waiting,
      problem: isHeld ? (problem ?? undefined) : undefined,
      until: isHeld ? new Date(held_until) : undefined,
    }
  })
}

/** How far the judging of whole traces is: `asked` names the trace and the evaluator; by the index of traces. */
export async function standing(
  { sql, workspaceId }: WorkspaceDb,
  traceIds: readonly string[],
): Promise<{ waiting: number; judged: number; failed: number; asked: Set<string> }> {
  const found = { waiting: 0, judged: 0, failed: 0, asked: new Set<string>() }
  for (let start = 0; start < traceIds.length; start += tracesPerStatement) {
    const rows = await sql<{ trace_id: string; evaluator_slug: string; status: EvaluationStatus }>`
      SELECT trace_id, evaluator_slug, status FROM evaluations
      WHERE workspace_id = ${workspaceId} AND log_id = ''
        AND trace_id IN (${traceIds.slice(start, start + tracesPerStatement)})`
    for (const { trace_id: traceId, evaluator_slug: slug, status } of rows) {
      found.asked.add(`${traceId} ${slug}`)
      if (status === 'failed') found.failed += 1
      else if (status === 'done' || status === 'skipped') found.judged += 1
      else found.waiting += 1
    }
  }
  return found
}

/** Failed ones wait again, as if they had never been tried: those named, or all, of one evaluator if it is named. */
export function retry(
  db: WorkspaceDb,
  of: { readonly ids?: readonly string[] | undefined; readonly evaluatorSlug?: string | undefined },
  { now, deadlineAt }: { readonly now: Date; readonly deadlineAt: Date },
): Promise<number> {
  return db.keepBooks(async ({ sql, workspaceId }) => {
    const slug = of.evaluatorSlug ?? null
    let count = 0
    const retryThose = async (ids: readonly string[]): Promise<void> => {
      const rows = await sql<{ connection_id: string; model: string }>`
        UPDATE evaluations SET status = 'waiting', attempts = 0, problem = NULL, due_at = ${now.getTime()},
          deadline_at = ${deadlineAt.getTime()}, changed_at = ${now.getTime()}
        WHERE workspace_id = ${workspaceId} AND status = 'failed' AND id IN (${ids})
          AND (CAST(${slug} AS text) IS NULL OR evaluator_slug = ${slug})
        RETURNING connection_id, model`
      count += rows.length
      const lanes = new Map(rows.map((row) => [JSON.stringify([row.connection_id, row.model]), row]))
      for (const [, lane] of [...lanes].toSorted(([one], [other]) => (one < other ? -1 : 1)))
        await sql`
          UPDATE evaluation_lanes SET due_at = CASE
            WHEN due_at < ${now.getTime()} THEN due_at ELSE ${now.getTime()} END
          WHERE workspace_id = ${workspaceId} AND connection_id = ${lane.connection_id} AND model = ${lane.model}`
    }
    const ids =
      of.ids ??
      (
        await sql<{ id: string }>`
          SELECT id FROM evaluations WHERE workspace_id = ${workspaceId} AND status = 'failed'
            AND (CAST(${slug} AS text) IS NULL OR evaluator_slug = ${slug}) ORDER BY id`
      ).map(({ id }) => id)
    for (let start = 0; start < ids.length; start += retriedPerStatement)
      await retryThose(ids.slice(start, start + retriedPerStatement))
    return count
  })
}
