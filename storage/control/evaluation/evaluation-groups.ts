/**
 * Concurrency groups of the evaluation queue: evaluations that call the same model share one. A group records when its
 * first evaluation is due, until when its circuit breaker is open and why, and whether its model passed a health probe.
 */

import type { Sql } from '../store/sql.ts'
import type { Evaluation } from './evaluation-rows.ts'

/**
 * Identifies a concurrency group: one per model of a connection. Evaluations without a model use one of two groups per
 * workspace: fast rules, and code.
 */
export type GroupKey = Pick<Evaluation, 'workspaceId' | 'target' | 'isCode'>

export type ConcurrencyGroup = GroupKey & {
  /** Consecutive failures of its model. */
  problems: number
  /** Whether its model passed the health probe. */
  isProbed: boolean
}

/** The model name of the code group, which has no connection. */
const codeModel = 'code'

/** A concurrency group as columns. */
export type GroupColumns = { workspaceId: string; connection: string; model: string }

export const columnsOfGroup = ({ workspaceId, target, isCode }: GroupKey): GroupColumns => ({
  workspaceId,
  connection: target?.connectionId ?? '',
  model: target?.model ?? (isCode ? codeModel : ''),
})

type Columns = { readonly workspace_id: string; readonly connection_id: string; readonly model: string }

/** The concurrency group of a row. */
export const groupOf = ({ workspace_id, connection_id, model }: Columns): GroupKey => ({
  workspaceId: workspace_id,
  target: connection_id === '' ? undefined : { connectionId: connection_id, model },
  isCode: connection_id === '' && model === codeModel,
})

/** Moves the due time of groups earlier; only a claim moves it later. */
export async function noteDue(
  sql: Sql,
  due: readonly (GroupKey & { readonly dueMs: number })[],
): Promise<void> {
  const groups = new Map<string, GroupColumns & { readonly dueMs: number }>()
  for (const { dueMs, ...group } of due) {
    const columns = columnsOfGroup(group)
    const key = JSON.stringify(columns)
    const existing = groups.get(key)
    if (existing === undefined || dueMs < existing.dueMs) groups.set(key, { ...columns, dueMs })
  }
  // In a fixed order, so that two nodes cannot deadlock.
  for (const [, { workspaceId, connection, model, dueMs }] of [...groups].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  ))
    await sql`
      INSERT INTO evaluation_groups (workspace_id, connection_id, model, due_at, held_until, problems)
      VALUES (${workspaceId}, ${connection}, ${model}, ${dueMs}, 0, 0)
      ON CONFLICT (workspace_id, connection_id, model) DO UPDATE SET due_at = CASE
        WHEN evaluation_groups.due_at < excluded.due_at THEN evaluation_groups.due_at ELSE excluded.due_at END`
}

/** Groups with a due evaluation and a closed circuit breaker, the longest overdue first. There are few rows: one per model, and two per workspace. */
export async function dueGroups(sql: Sql, now: Date, limit: number): Promise<ConcurrencyGroup[]> {
  const rows = await sql<Columns & { problems: number; probed_at: number | null }>`
    SELECT workspace_id, connection_id, model, problems, probed_at FROM evaluation_groups
    WHERE due_at <= ${now.getTime()} AND held_until <= ${now.getTime()} ORDER BY due_at LIMIT ${limit}`
  return rows.map((row) => ({
    ...groupOf(row),
    problems: row.problems,
    isProbed: row.connection_id === '' || row.probed_at !== null,
  }))
}

/** When the next evaluation is due; undefined if the queue is empty. */
export async function nextDueMs(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ next: number | null }>`
    SELECT min(CASE WHEN held_until > due_at THEN held_until ELSE due_at END) AS next
    FROM evaluation_groups WHERE due_at IS NOT NULL`
  return row?.next ?? undefined
}

/** Opens a group's circuit breaker until a time; failures while it is open count as one. */
export async function openCircuit(
  sql: Sql,
  group: GroupKey,
  { until, problem, now }: { until: Date; problem: string; now: Date },
): Promise<void> {
  const { workspaceId, connection, model } = columnsOfGroup(group)
  await sql`
    UPDATE evaluation_groups SET problem = ${problem},
      problems = problems + CASE WHEN held_until > ${now.getTime()} THEN 0 ELSE 1 END,
      held_until = CASE WHEN held_until > ${until.getTime()} THEN held_until ELSE ${until.getTime()} END
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}`
}

/** Resets the failures of a group whose model responds again. */
export async function clearProblems(sql: Sql, group: GroupKey, now: Date): Promise<void> {
  const { workspaceId, connection, model } = columnsOfGroup(group)
  await sql`
    UPDATE evaluation_groups SET problem = NULL, problems = 0
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
      AND held_until <= ${now.getTime()}`
}

/** Closes a group's circuit breaker after a successful health probe. */
export async function closeCircuit(sql: Sql, group: GroupKey, now: Date): Promise<void> {
  const { workspaceId, connection, model } = columnsOfGroup(group)
  await sql`
    UPDATE evaluation_groups SET problem = NULL, problems = 0, held_until = 0, probed_at = ${now.getTime()}
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}`
}

/** Requires another health probe of a group's model. */
export async function requireProbe(sql: Sql, group: GroupKey): Promise<void> {
  const { workspaceId, connection, model } = columnsOfGroup(group)
  await sql`
    UPDATE evaluation_groups SET probed_at = NULL
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}`
}

/** The evaluator of any queued evaluation of a group, for the health probe; by the index of the group. */
export async function firstWaiting(
  sql: Sql,
  group: GroupKey,
): Promise<{ evaluatorSlug: string; evaluatorVersion: number } | undefined> {
  const { workspaceId, connection, model } = columnsOfGroup(group)
  const [row] = await sql<{ evaluator_slug: string; evaluator_version: number }>`
    SELECT evaluator_slug, evaluator_version FROM evaluations
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
      AND status = 'waiting' LIMIT 1`
  return row && { evaluatorSlug: row.evaluator_slug, evaluatorVersion: row.evaluator_version }
}
