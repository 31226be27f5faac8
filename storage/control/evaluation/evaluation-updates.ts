/** Evaluation results: recorded once, and kept until their scores are in the trace store. */

import type { Sql } from '../store/sql.ts'
import { addCost } from './connection-limits.ts'
import { columnsOfGroup, type GroupKey, noteDue } from './evaluation-groups.ts'
import { type Evaluation, type EvaluationRow, toEvaluation } from './evaluation-rows.ts'

type Expense = {
  readonly cost?: number | undefined
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** The trace of the call. */
  readonly judgeTraceId?: string | undefined
}

/** The result of one attempt. */
export type EvaluationUpdate = { readonly evaluation: Evaluation } & Expense &
  (
    | { readonly type: 'judged'; readonly value: boolean | number | string; readonly comment: string }
    | { readonly type: 'skipped'; readonly comment: string }
    | { readonly type: 'failed'; readonly problem: string }
    | {
        readonly type: 'again'
        readonly problem: string | undefined
        readonly dueAt: Date
        /** Whether this attempt counts towards the limit. */
        readonly isCharged: boolean
      }
  )

/** Verdicts to store under one token. */
export type Batch = { token: string; evaluations: Evaluation[] }

/** Records results; returns those with a verdict whose lease this node still owned. */
export async function finish(
  sql: Sql,
  updates: readonly EvaluationUpdate[],
  { leaseOwner, token, now }: { leaseOwner: string; token: string; now: Date },
): Promise<Evaluation[]> {
  const nowMs = now.getTime()
  const results: Evaluation[] = []
  const due: (GroupKey & { dueMs: number })[] = []
  const costs = new Map<string, { workspaceId: string; connection: string; cost: number }>()
  for (const update of updates) {
    const { evaluation, cost = null, inputTokens = null, outputTokens = null, judgeTraceId = null } = update
    const { status, dueAt, problem, value, comment, attempts } = columnsOf(update)
    const [row] = await sql<{ id: string }>`
      UPDATE evaluations SET status = ${status}, due_at = ${dueAt.getTime()}, problem = ${problem}, value = ${value},
        comment = ${comment}, attempts = ${attempts}, batch = ${status === 'judged' ? token : ''},
        cost = CASE WHEN CAST(${cost} AS double precision) IS NULL THEN cost
          ELSE coalesce(cost, 0) + CAST(${cost} AS double precision) END,
        input_tokens = CASE WHEN CAST(${inputTokens} AS bigint) IS NULL THEN input_tokens
          ELSE coalesce(input_tokens, 0) + CAST(${inputTokens} AS bigint) END,
        output_tokens = CASE WHEN CAST(${outputTokens} AS bigint) IS NULL THEN output_tokens
          ELSE coalesce(output_tokens, 0) + CAST(${outputTokens} AS bigint) END,
        judge_trace_id = coalesce(${judgeTraceId}, judge_trace_id), changed_at = ${nowMs}
      WHERE id = ${evaluation.id} AND status = 'running' AND lease_owner = ${leaseOwner} AND attempts = ${evaluation.attempts}
      RETURNING id`
    if (update.type === 'again') due.push({ ...evaluation, dueMs: dueAt.getTime() })
    if (cost !== null) {
      const { workspaceId, connection } = columnsOfGroup(evaluation)
      const key = JSON.stringify([workspaceId, connection])
      const previousCost = costs.get(key)?.cost ?? 0
      costs.set(key, { workspaceId, connection, cost: previousCost + cost })
    }
    if (row !== undefined && update.type === 'judged') results.push(toJudged(update, now))
  }
  for (const [, { cost, ...connection }] of [...costs].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await addCost(sql, connection, cost, now)
  await noteDue(sql, due)
  return results
}

/** The evaluation as just recorded. */
function toJudged(
  { evaluation, ...update }: EvaluationUpdate & { readonly type: 'judged' },
  changedAt: Date,
): Evaluation {
  const { value, comment } = update
  const sum = (previous: number | undefined, cost: number | undefined): number | undefined =>
    cost === undefined ? previous : (previous ?? 0) + cost
  return {
    ...evaluation,
    status: 'judged',
    value,
    comment,
    problem: undefined,
    cost: sum(evaluation.cost, update.cost),
    inputTokens: sum(evaluation.inputTokens, update.inputTokens),
    outputTokens: sum(evaluation.outputTokens, update.outputTokens),
    judgeTraceId: update.judgeTraceId ?? evaluation.judgeTraceId,
    changedAt,
  }
}

function columnsOf(update: EvaluationUpdate) {
  const { evaluation } = update
  const unchanged = {
    dueAt: evaluation.dueAt,
    problem: null,
    value: null,
    comment: null,
    attempts: evaluation.attempts,
  }
  switch (update.type) {
    case 'judged':
      return {
        ...unchanged,
        status: 'judged',
        value: JSON.stringify(update.value),
        comment: update.comment,
      } as const
    case 'skipped':
      return { ...unchanged, status: 'skipped', comment: update.comment } as const
    case 'failed':
      return { ...unchanged, status: 'failed', problem: update.problem } as const
    case 'again':
      return {
        ...unchanged,
        status: 'waiting',
        dueAt: update.dueAt,
        problem: update.problem ?? null,
        attempts: evaluation.attempts - (update.isCharged ? 0 : 1),
      } as const
  }
}

/** Verdicts that this node or a dead one has not stored yet; by the index of unstored verdicts. */
export async function listUnstored(sql: Sql, leaseOwner: string, abandonedBefore: Date): Promise<Batch[]> {
  const rows = await sql<EvaluationRow & { batch: string }>`
    SELECT id, workspace_id, trace_id, log_id, evaluator_slug, evaluator_version, connection_id, model, status,
      attempts, due_at, deadline_at, problem, value, comment, cost, input_tokens, output_tokens, judge_trace_id, session_id, created_at, changed_at,
      batch
    FROM evaluations
    WHERE status = 'judged' AND (lease_owner = ${leaseOwner} OR changed_at < ${abandonedBefore.getTime()})
    ORDER BY id`
  return [...Map.groupBy(rows, ({ batch }) => batch)].map(([token, batchRows]) => ({
    token,
    evaluations: batchRows.map(toEvaluation),
  }))
}

/** Marks the verdicts of a token as stored in the trace store. */
export async function markStored(sql: Sql, token: string, now: Date): Promise<void> {
  await sql`
    UPDATE evaluations SET status = 'done', changed_at = ${now.getTime()}
    WHERE status = 'judged' AND batch = ${token}`
}

/** Fails an evaluation whose verdict the trace store rejects. */
export async function refuse(sql: Sql, id: string, problem: string, now: Date): Promise<void> {
  await sql`
    UPDATE evaluations SET status = 'failed', problem = ${problem}, changed_at = ${now.getTime()}
    WHERE id = ${id} AND status = 'judged'`
}
