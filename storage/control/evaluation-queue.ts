/**
 * The queue of evaluations, of the installation, since any node runs those of any workspace. What waits for the same
 * model waits in one lane. A node that begins some holds them for a time, by a row each: of one that dies, they come
 * back when the time is over. What an evaluation came to counts only from the node that holds it, so each has one
 * verdict, however often it was begun.
 *
 * What can be had again is on disk later: of what a power loss undoes, evaluations are begun and judged once more, and
 * their scores have the same ids. What was asked for, and what was paid for, is on disk at once.
 */
import { addCost } from './connection-limits.ts'
import { type Arrival, arrive, forgetArrival, takeArrival } from './evaluation-arrivals.ts'
import {
  columnsOfLane,
  doubt,
  firstWaiting,
  hold,
  type LaneKey,
  nextDueMs,
  noteDue,
  openLanes,
  pass,
  recover,
} from './evaluation-lanes.ts'
import { finish, type Outcome, refuse, stored, unstored } from './evaluation-outcomes.ts'
import type { Evaluation } from './evaluation-rows.ts'
import { type Beginning, begin } from './evaluation-turns.ts'
import { failLate, forget, takeBack, totals } from './evaluation-upkeep.ts'
import type { Database, Sql } from './sql.ts'

/** What is to be judged, and by what. */
export type NewEvaluation = Pick<
  Evaluation,
  'id' | 'workspaceId' | 'traceId' | 'logId' | 'evaluatorSlug' | 'evaluatorVersion' | 'asked' | 'isCode'
>

const rowsPerStatement = 400

export type EvaluationQueue = ReturnType<typeof evaluationQueue>

export function evaluationQueue(database: Database) {
  const { sql } = database
  return {
    /** Notes what was drawn; whoever has it on disk waits for a transaction after it. */
    arrive: (arrivals: readonly Arrival[], now: Date) =>
      database.transaction((tx) => arrive(tx, arrivals, now), 'later'),
    /** What was drawn and has yet to come in, the first that no node has taken. */
    takeArrival: (of: { readonly now: Date; readonly lostAt: Date }) =>
      database.transaction((tx) => takeArrival(database, tx, of), 'later'),
    /** Adds what came of it, in its place. */
    addArrived: (id: string, added: readonly NewEvaluation[], times: Times) =>
      database.transaction(async (tx) => {
        await forgetArrival(tx, id)
        return add(tx, added, times)
      }, 'later'),
    /** Adds what is not there yet; gives how many that were. */
    add: (added: readonly NewEvaluation[], times: Times) =>
      added.length === 0 ? Promise.resolve(0) : database.transaction((tx) => add(tx, added, times)),
    /** Lanes in which something is due, the longest first. */
    openLanes: (now: Date, limit: number) => openLanes(sql, now, limit),
    /** When something will be due; undefined when nothing waits. */
    nextDueMs: () => nextDueMs(sql),
    /** Begins those of a lane that are due, up to so many; says what holds the lane up if something does. */
    begin: (lane: LaneKey, by: Beginning) =>
      database.transaction((tx) => begin(database, tx, lane, by), 'later'),
    /** Writes down what evaluations came to; gives those that this node still held and that have a verdict. */
    finish: (outcomes: readonly Outcome[], by: { holder: string; token: string; now: Date }) =>
      database.transaction(
        (tx) => finish(tx, outcomes, by),
        outcomes.some(({ of }) => of.asked !== undefined) ? 'at once' : 'later',
      ),
    /** Verdicts that this node, or one that has been gone for long, did not get to store. */
    unstored: (holder: string, abandonedBefore: Date) => unstored(sql, holder, abandonedBefore),
    /** The verdicts under this token are in the trace store. */
    stored: (token: string, now: Date) => database.transaction((tx) => stored(tx, token, now), 'later'),
    /** A verdict that the trace store does not take. */
    refuse: (id: string, problem: string, now: Date) => refuse(sql, id, problem, now),
    /** Lets nothing of a lane begin before; what is said while it is held counts as one problem. */
    hold: (lane: LaneKey, by: { until: Date; problem: string; now: Date }) => hold(sql, lane, by),
    /** One that waits in a lane. */
    firstWaiting: (lane: LaneKey) => firstWaiting(sql, lane),
    /** The lane's model answers again. */
    recover: (lane: LaneKey, now: Date) => recover(sql, lane, now),
    /** The lane's model has shown that it answers as it must. */
    pass: (lane: LaneKey, now: Date) => pass(sql, lane, now),
    /** The lane's model has to show again that it answers as it must. */
    doubt: (lane: LaneKey) => doubt(sql, lane),
    /** What a node has begun waits again: it was stopped, or the time that it may hold it is over. */
    takeBack: (from: { holder: string } | { lostBefore: Date }, now: Date) =>
      database.transaction((tx) => takeBack(tx, from, now)),
    /** What has been due since before a time has failed; true if there may be more. */
    failLate: (dueBefore: Date, now: Date) => database.transaction((tx) => failLate(tx, dueBefore, now)),
    addCost: (lane: LaneKey, cost: number, now: Date) => addCost(sql, columnsOfLane(lane), cost, now),
    /** Forgets what ended before, and failures only before another time. */
    forget: (before: { ended: Date; failed: Date }) => forget(sql, before),
    /** How many are under way, for the operator. */
    totals: () => totals(sql),
  }
}

type Times = { readonly now: Date; readonly deadlineAt: Date }

async function add(sql: Sql, added: readonly NewEvaluation[], { now, deadlineAt }: Times): Promise<number> {
  const at = now.getTime()
  let count = 0
  // In one order for all, so that two nodes never wait for each other's rows.
  const sorted = added.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  for (let start = 0; start < sorted.length; start += rowsPerStatement) {
    const rows = sorted.slice(start, start + rowsPerStatement).map((of) => {
      const { workspaceId, connection, model } = columnsOfLane(of)
      return [
        of.id,
        workspaceId,
        of.traceId,
        of.logId ?? '',
        of.evaluatorSlug,
        of.evaluatorVersion,
        connection,
        model,
        'waiting',
        0,
        at,
        deadlineAt.getTime(),
        '',
        '',
        at,
        at,
      ]
    })
    const made = await sql<{ id: string }>`
      INSERT INTO evaluations (id, workspace_id, trace_id, log_id, evaluator_slug, evaluator_version, connection_id,
        model, status, attempts, due_at, deadline_at, holder, batch, created_at, changed_at)
      VALUES ${rows} ON CONFLICT (id) DO NOTHING RETURNING id`
    count += made.length
  }
  await noteDue(
    sql,
    added.map((of) => ({ ...of, dueMs: at })),
  )
  return count
}
