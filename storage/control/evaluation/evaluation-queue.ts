/**
 * The queue of evaluations. It belongs to the installation, since any node runs evaluations of any workspace.
 * Evaluations that call the same model share a concurrency group. A node claims evaluations under a lease, and those of
 * a dead node are reclaimed when it expires. Only the lease owner can record a result, so each evaluation has one
 * verdict, however often it was claimed.
 *
 * Repeatable writes become durable later: after a power loss, evaluations are claimed and judged again, and their
 * scores have the same ids. Requested evaluations and paid results are durable at once.
 */

import type { Database, Sql } from '../store/sql.ts'
import { claimEvaluations, type EvaluationClaim } from './claim-evaluations.ts'
import { addCost } from './connection-limits.ts'
import { type Arrival, addArrivals, claimArrival, deleteArrival } from './evaluation-arrivals.ts'
import {
  clearProblems,
  closeCircuit,
  columnsOfGroup,
  dueGroups,
  firstWaiting,
  type GroupKey,
  nextDueMs,
  noteDue,
  openCircuit,
  requireProbe,
} from './evaluation-groups.ts'
import type { Evaluation } from './evaluation-rows.ts'
import { type EvaluationUpdate, finish, listUnstored, markStored, refuse } from './evaluation-updates.ts'
import { failLate, forget, forgetSpend, reclaim, totals } from './evaluation-upkeep.ts'

/** What to judge, and with which evaluator. */
export type NewEvaluation = Pick<
  Evaluation,
  'id' | 'workspaceId' | 'traceId' | 'logId' | 'evaluatorSlug' | 'evaluatorVersion' | 'target' | 'isCode'
> &
  Partial<Pick<Evaluation, 'sessionId'>>

const rowsPerStatement = 400

export type EvaluationQueue = ReturnType<typeof evaluationQueue>

export function evaluationQueue(database: Database) {
  const { sql } = database
  return {
    /** Records sampled traces. They become durable with the next durable transaction. */
    addArrivals: (arrivals: readonly Arrival[], now: Date) =>
      database.transaction((tx) => addArrivals(tx, arrivals, now), 'later'),
    /** Claims the oldest free arrival. */
    claimArrival: (times: { readonly now: Date; readonly leaseExpiresAt: Date }) =>
      database.transaction((tx) => claimArrival(database, tx, times), 'later'),
    /** Replaces an arrival with its evaluations. */
    addArrived: (id: string, evaluations: readonly NewEvaluation[], times: Times) =>
      database.transaction(async (tx) => {
        await deleteArrival(tx, id)
        return add(tx, evaluations, times)
      }, 'later'),
    /** Enqueues evaluations, ignoring those that exist; returns how many are new. */
    add: (evaluations: readonly NewEvaluation[], times: Times) =>
      evaluations.length === 0
        ? Promise.resolve(0)
        : database.transaction((tx) => add(tx, evaluations, times)),
    /** Concurrency groups with due evaluations, the longest overdue first. */
    dueGroups: (now: Date, limit: number) => dueGroups(sql, now, limit),
    /** When the next evaluation is due; undefined if the queue is empty. */
    nextDueMs: () => nextDueMs(sql),
    /** Claims due evaluations of a group, up to `limit`; returns the reason if it may claim none. */
    claim: (group: GroupKey, claim: EvaluationClaim) =>
      database.transaction((tx) => claimEvaluations(database, tx, group, claim), 'later'),
    /** Records results; returns those with a verdict whose lease this node still owned. */
    finish: (updates: readonly EvaluationUpdate[], lease: { leaseOwner: string; token: string; now: Date }) =>
      database.transaction(
        (tx) => finish(tx, updates, lease),
        updates.some(({ evaluation }) => evaluation.target !== undefined) ? 'at once' : 'later',
      ),
    /** Verdicts that this node or a dead one has not stored yet. */
    unstored: (leaseOwner: string, abandonedBefore: Date) => listUnstored(sql, leaseOwner, abandonedBefore),
    /** Marks the verdicts of a token as stored in the trace store. */
    stored: (token: string, now: Date) => database.transaction((tx) => markStored(tx, token, now), 'later'),
    /** Fails an evaluation whose verdict the trace store rejects. */
    refuse: (id: string, problem: string, now: Date) => refuse(sql, id, problem, now),
    /** Opens a group's circuit breaker until a time; failures while it is open count as one. */
    openCircuit: (group: GroupKey, circuit: { until: Date; problem: string; now: Date }) =>
      openCircuit(sql, group, circuit),
    /** The evaluator of any queued evaluation of a group. */
    firstWaiting: (group: GroupKey) => firstWaiting(sql, group),
    /** Resets the failures of a group whose model responds again. */
    clearProblems: (group: GroupKey, now: Date) => clearProblems(sql, group, now),
    /** Closes a group's circuit breaker after a successful health probe. */
    closeCircuit: (group: GroupKey, now: Date) => closeCircuit(sql, group, now),
    /** Requires another health probe of a group's model. */
    requireProbe: (group: GroupKey) => requireProbe(sql, group),
    /** Releases the leases of a stopped node, or reclaims expired ones. */
    reclaim: (lease: { leaseOwner: string } | { expiredAt: Date }, now: Date) =>
      database.transaction((tx) => reclaim(tx, lease, now)),
    /** Fails evaluations that were due before a time; true if there may be more. */
    failLate: (dueBefore: Date, now: Date) => database.transaction((tx) => failLate(tx, dueBefore, now)),
    addCost: (group: GroupKey, cost: number, now: Date) => addCost(sql, columnsOfGroup(group), cost, now),
    /** Deletes finished evaluations of a workspace, and failed ones after a longer retention. */
    forget: (workspaceId: string, cutoff: { endedCutoff: Date; failedCutoff: Date }) =>
      forget(sql, workspaceId, cutoff),
    forgetSpend: (cutoff: Date) => forgetSpend(sql, cutoff),
    /** Counts of unfinished evaluations, for the operator. */
    totals: () => totals(sql),
  }
}

type Times = { readonly now: Date; readonly deadlineAt: Date }

async function add(
  sql: Sql,
  evaluations: readonly NewEvaluation[],
  { now, deadlineAt }: Times,
): Promise<number> {
  const nowMs = now.getTime()
  let count = 0
  // In a fixed order, so that two nodes cannot deadlock.
  const sorted = evaluations.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (let start = 0; start < sorted.length; start += rowsPerStatement) {
    const rows = sorted.slice(start, start + rowsPerStatement).map((evaluation) => {
      const { workspaceId, connection, model } = columnsOfGroup(evaluation)
      return [
        evaluation.id,
        workspaceId,
        evaluation.traceId,
        evaluation.logId ?? '',
        evaluation.evaluatorSlug,
        evaluation.evaluatorVersion,
        connection,
        model,
        'waiting',
        0,
        nowMs,
        deadlineAt.getTime(),
        '',
        '',
        nowMs,
        nowMs,
        evaluation.sessionId ?? null,
      ]
    })
    const insertedRows = await sql<{ id: string }>`
      INSERT INTO evaluations (id, workspace_id, trace_id, log_id, evaluator_slug, evaluator_version, connection_id,
        model, status, attempts, due_at, deadline_at, lease_owner, batch, created_at, changed_at, session_id)
      VALUES ${rows} ON CONFLICT (id) DO NOTHING RETURNING id`
    count += insertedRows.length
  }
  await noteDue(
    sql,
    evaluations.map((evaluation) => ({ ...evaluation, dueMs: nowMs })),
  )
  return count
}
