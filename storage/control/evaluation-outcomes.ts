/** What evaluations came to: written down once, and known until its score is in the trace store. */
import { addCost } from './connection-limits.ts'
import { columnsOfLane, type LaneKey, noteDue } from './evaluation-lanes.ts'
import { type Evaluation, type EvaluationRow, toEvaluation } from './evaluation-rows.ts'
import type { Sql } from './sql.ts'

type Paid = {
  readonly cost?: number | undefined
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
}

/** What one evaluation came to. */
export type Outcome = { readonly of: Evaluation } & Paid &
  (
    | { readonly type: 'judged'; readonly value: boolean | number | string; readonly comment: string }
    | { readonly type: 'skipped'; readonly comment: string }
    | { readonly type: 'failed'; readonly problem: string }
    | {
        readonly type: 'again'
        readonly problem: string | undefined
        readonly dueAt: Date
        /** Whether this time counts among those that may be tried. */
        readonly isCharged: boolean
      }
  )

/** Verdicts that are to be stored under one token. */
export type Batch = { token: string; evaluations: Evaluation[] }

/** Writes outcomes down; gives those that this node still held and that have a verdict. */
export async function finish(
  sql: Sql,
  outcomes: readonly Outcome[],
  { holder, token, now }: { holder: string; token: string; now: Date },
): Promise<Evaluation[]> {
  const at = now.getTime()
  const judged: Evaluation[] = []
  const due: (LaneKey & { dueMs: number })[] = []
  const costs = new Map<string, { workspaceId: string; connection: string; cost: number }>()
  for (const outcome of outcomes) {
    const { of, cost = null, inputTokens = null, outputTokens = null } = outcome
    const { status, dueAt, problem, value, comment, attempts } = columnsOf(outcome)
    const [row] = await sql<{ id: string }>`
      UPDATE evaluations SET status = ${status}, due_at = ${dueAt.getTime()}, problem = ${problem}, value = ${value},
        comment = ${comment}, attempts = ${attempts}, batch = ${status === 'judged' ? token : ''},
        cost = CASE WHEN CAST(${cost} AS double precision) IS NULL THEN cost
          ELSE coalesce(cost, 0) + CAST(${cost} AS double precision) END,
        input_tokens = CASE WHEN CAST(${inputTokens} AS bigint) IS NULL THEN input_tokens
          ELSE coalesce(input_tokens, 0) + CAST(${inputTokens} AS bigint) END,
        output_tokens = CASE WHEN CAST(${outputTokens} AS bigint) IS NULL THEN output_tokens
          ELSE coalesce(output_tokens, 0) + CAST(${outputTokens} AS bigint) END,
        changed_at = ${at}
      WHERE id = ${of.id} AND status = 'running' AND holder = ${holder} AND attempts = ${of.attempts}
      RETURNING id`
    if (outcome.type === 'again') due.push({ ...of, dueMs: dueAt.getTime() })
    if (cost !== null) {
      const { workspaceId, connection } = columnsOfLane(of)
      const key = JSON.stringify([workspaceId, connection])
      const known = costs.get(key)?.cost ?? 0
      costs.set(key, { workspaceId, connection, cost: known + cost })
    }
    if (row !== undefined && outcome.type === 'judged') judged.push(asJudged(outcome, now))
  }
  for (const [, { cost, ...of }] of [...costs].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await addCost(sql, of, cost, now)
  await noteDue(sql, due)
  return judged
}

/** The evaluation as it was just written down. */
function asJudged({ of, ...outcome }: Outcome & { readonly type: 'judged' }, changedAt: Date): Evaluation {
  const { value, comment } = outcome
  const sum = (before: number | undefined, paid: number | undefined): number | undefined =>
    paid === undefined ? before : (before ?? 0) + paid
  return {
    ...of,
    status: 'judged',
    value,
    comment,
    problem: undefined,
    cost: sum(of.cost, outcome.cost),
    inputTokens: sum(of.inputTokens, outcome.inputTokens),
    outputTokens: sum(of.outputTokens, outcome.outputTokens),
    changedAt,
  }
}

function columnsOf(outcome: Outcome) {
  const { of } = outcome
  const kept = { dueAt: of.dueAt, problem: null, value: null, comment: null, attempts: of.attempts }
  switch (outcome.type) {
    case 'judged':
      return {
        ...kept,
        status: 'judged',
        value: JSON.stringify(outcome.value),
        comment: outcome.comment,
      } as const
    case 'skipped':
      return { ...kept, status: 'skipped', comment: outcome.comment } as const
    case 'failed':
      return { ...kept, status: 'failed', problem: outcome.problem } as const
    case 'again':
      return {
        ...kept,
        status: 'waiting',
        dueAt: outcome.dueAt,
        problem: outcome.problem ?? null,
        attempts: of.attempts - (outcome.isCharged ? 0 : 1),
      } as const
  }
}

/** Verdicts that this node, or one that has been gone for long, did not get to store; by the index of what is not stored. */
export async function unstored(sql: Sql, holder: string, abandonedBefore: Date): Promise<Batch[]> {
  const rows = await sql<EvaluationRow & { batch: string }>`
    SELECT id, workspace_id, trace_id, log_id, evaluator_slug, evaluator_version, connection_id, model, status,
      attempts, due_at, deadline_at, problem, value, comment, cost, input_tokens, output_tokens, created_at, changed_at,
      batch
    FROM evaluations
    WHERE status = 'judged' AND (holder = ${holder} OR changed_at < ${abandonedBefore.getTime()})
    ORDER BY id`
  return [...Map.groupBy(rows, ({ batch }) => batch)].map(([token, of]) => ({
    token,
    evaluations: of.map(toEvaluation),
  }))
}

/** The verdicts under this token are in the trace store. */
export async function stored(sql: Sql, token: string, now: Date): Promise<void> {
  await sql`
    UPDATE evaluations SET status = 'done', changed_at = ${now.getTime()}
    WHERE status = 'judged' AND batch = ${token}`
}

/** A verdict that the trace store does not take. */
export async function refuse(sql: Sql, id: string, problem: string, now: Date): Promise<void> {
  await sql`
    UPDATE evaluations SET status = 'failed', problem = ${problem}, changed_at = ${now.getTime()}
    WHERE id = ${id} AND status = 'judged'`
}
