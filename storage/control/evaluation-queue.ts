/**
 * The queue of evaluations, of the installation, since any node runs those of any workspace. What waits for the same
 * model waits in one lane. A node that begins some holds them for a time, by a row each: of one that dies, they come
 * back when the time is over. What an evaluation came to counts only from the node that holds it, so each has one
 * verdict, however often it was begun.
 */
import { addCost, allowedOf } from './connection-limits.ts'
import { type Evaluation, type EvaluationRow, toEvaluation } from './evaluation-rows.ts'
import type { Database, Sql } from './sql.ts'

/** What is to be judged, and by what. */
export type NewEvaluation = Pick<
  Evaluation,
  'id' | 'workspaceId' | 'traceId' | 'logId' | 'evaluatorSlug' | 'evaluatorVersion' | 'asked'
>

/** Where those wait that ask the same model of a connection; what asks none waits in one lane of its workspace. */
export type LaneKey = Pick<Evaluation, 'workspaceId' | 'asked'>

export type Lane = LaneKey & {
  /** How many problems in a row there were with its model. */
  problems: number
  /** Whether its model was shown to answer as it must. */
  isProbed: boolean
}

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

const rowsPerStatement = 400
/** So many of a lane fail at a time for being late. */
const sweptMax = 1000

export type EvaluationQueue = ReturnType<typeof evaluationQueue>

export function evaluationQueue(database: Database) {
  const { sql } = database
  return {
    /** Adds what is not there yet; gives how many that were. */
    add: (added: readonly NewEvaluation[], times: { readonly now: Date; readonly deadlineAt: Date }) =>
      added.length === 0 ? Promise.resolve(0) : database.transaction((tx) => add(tx, added, times)),
    /** Lanes in which something is due, the longest first. */
    openLanes: (now: Date, limit: number) => openLanes(sql, now, limit),
    /** When something will be due; undefined when nothing waits. */
    nextDueMs: () => nextDueMs(sql),
    /** Begins those of a lane that are due, up to so many; says what holds the lane up if something does. */
    begin: (lane: LaneKey, by: Beginning) => database.transaction((tx) => begin(database, tx, lane, by)),
    /** Writes down what evaluations came to; gives those that this node still held and that have a verdict. */
    finish: (outcomes: readonly Outcome[], by: { holder: string; token: string; now: Date }) =>
      database.transaction((tx) => finish(tx, outcomes, by)),
    /** Verdicts that this node, or one that has been gone for long, did not get to store. */
    unstored: (holder: string, abandonedBefore: Date) => unstored(sql, holder, abandonedBefore),
    /** The verdicts under this token are in the trace store. */
    stored: async (token: string, now: Date) =>
      void (await sql`
        UPDATE evaluations SET status = 'done', changed_at = ${now.getTime()}
        WHERE status = 'judged' AND batch = ${token}`),
    /** A verdict that the trace store does not take. */
    refuse: async (id: string, problem: string, now: Date) =>
      void (await sql`
        UPDATE evaluations SET status = 'failed', problem = ${problem}, changed_at = ${now.getTime()}
        WHERE id = ${id} AND status = 'judged'`),
    /** Lets nothing of a lane begin before; what is said while it is held counts as one problem. */
    hold: (lane: LaneKey, by: { until: Date; problem: string; now: Date }) => hold(sql, lane, by),
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
    addCost: (lane: LaneKey, cost: number, now: Date) =>
      addCost(sql, { workspaceId: lane.workspaceId, connection: connectionOf(lane) }, cost, now),
    /** Forgets what ended before, and failures only before another time. */
    forget: (before: { ended: Date; failed: Date }) => forget(sql, before),
    /** How many are under way, for the operator. */
    totals: () => totals(sql),
  }
}

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

const connectionOf = ({ asked }: LaneKey): string => asked?.connectionId ?? ''
const modelOf = ({ asked }: LaneKey): string => asked?.model ?? ''

async function add(
  sql: Sql,
  added: readonly NewEvaluation[],
  { now, deadlineAt }: { readonly now: Date; readonly deadlineAt: Date },
): Promise<number> {
  const at = now.getTime()
  let count = 0
  // In one order for all, so that two nodes never wait for each other's rows.
  const sorted = added.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  for (let start = 0; start < sorted.length; start += rowsPerStatement) {
    const rows = sorted
      .slice(start, start + rowsPerStatement)
      .map((of) => [
        of.id,
        of.workspaceId,
        of.traceId,
        of.logId ?? '',
        of.evaluatorSlug,
        of.evaluatorVersion,
        connectionOf(of),
        modelOf(of),
        'waiting',
        0,
        at,
        deadlineAt.getTime(),
        '',
        '',
        at,
        at,
      ])
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

/** Lanes learn when the first of theirs is due; only a claim of the lane moves it later. */
async function noteDue(sql: Sql, due: readonly (LaneKey & { readonly dueMs: number })[]): Promise<void> {
  const lanes = new Map<string, LaneKey & { readonly dueMs: number }>()
  for (const each of due) {
    const key = JSON.stringify([each.workspaceId, connectionOf(each), modelOf(each)])
    const known = lanes.get(key)
    if (known === undefined || each.dueMs < known.dueMs) lanes.set(key, each)
  }
  for (const [, lane] of [...lanes].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await sql`
      INSERT INTO evaluation_lanes (workspace_id, connection_id, model, due_at, held_until, problems)
      VALUES (${lane.workspaceId}, ${connectionOf(lane)}, ${modelOf(lane)}, ${lane.dueMs}, 0, 0)
      ON CONFLICT (workspace_id, connection_id, model) DO UPDATE SET due_at = CASE
        WHEN evaluation_lanes.due_at < excluded.due_at THEN evaluation_lanes.due_at ELSE excluded.due_at END`
}

type LaneRow = {
  workspace_id: string
  connection_id: string
  model: string
  problems: number
  probed_at: number | null
}

/** Lanes are few: as many as models that judge, and one for each workspace. */
async function openLanes(sql: Sql, now: Date, limit: number): Promise<Lane[]> {
  const rows = await sql<LaneRow>`
    SELECT workspace_id, connection_id, model, problems, probed_at FROM evaluation_lanes
    WHERE due_at <= ${now.getTime()} AND held_until <= ${now.getTime()} ORDER BY due_at LIMIT ${limit}`
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    asked: row.connection_id === '' ? undefined : { connectionId: row.connection_id, model: row.model },
    problems: row.problems,
    isProbed: row.connection_id === '' || row.probed_at !== null,
  }))
}

async function nextDueMs(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ next: number | null }>`
    SELECT min(CASE WHEN held_until > due_at THEN held_until ELSE due_at END) AS next
    FROM evaluation_lanes WHERE due_at IS NOT NULL`
  return row?.next ?? undefined
}

/** The lane's row is locked first, so of several nodes that look at a lane one counts and begins at a time. */
async function begin(
  database: Database,
  sql: Sql,
  lane: LaneKey,
  { holder, limit, lostAt, now, concurrencyMax }: Beginning,
): Promise<Begun> {
  const { workspaceId } = lane
  const [connection, model, at] = [connectionOf(lane), modelOf(lane), now.getTime()]
  const allowed =
    connection === ''
      ? { count: limit }
      : await allowedOf(sql, { workspaceId, connection, concurrencyMax, now })
  if ('held' in allowed) return { evaluations: [], held: allowed.held }
  await sql`
    UPDATE evaluation_lanes SET due_at = due_at
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}`
  const count = Math.min(limit, allowed.count)
  // By the index of the lane. A row that another node has just taken is passed over, where there are other nodes.
  const wanted =
    count <= 0
      ? []
      : database.engine === 'PostgreSQL'
        ? await sql<{ id: string }>`
            SELECT id FROM evaluations
            WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
              AND status = 'waiting' AND due_at <= ${at}
            ORDER BY due_at LIMIT ${count} FOR UPDATE SKIP LOCKED`
        : await sql<{ id: string }>`
            SELECT id FROM evaluations
            WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
              AND status = 'waiting' AND due_at <= ${at}
            ORDER BY due_at LIMIT ${count}`
  const rows = await sql<EvaluationRow>`
    UPDATE evaluations SET status = 'running', holder = ${holder}, due_at = ${lostAt.getTime()},
      attempts = attempts + 1, changed_at = ${at}
    WHERE id IN (${wanted.map(({ id }) => id)})
    RETURNING id, workspace_id, trace_id, log_id, evaluator_slug, evaluator_version, connection_id, model, status,
      attempts, due_at, deadline_at, problem, value, comment, cost, input_tokens, output_tokens, created_at, changed_at`
  await sql`
    UPDATE evaluation_lanes SET due_at = (
      SELECT min(due_at) FROM evaluations
      WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
        AND status = 'waiting')
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}`
  return { evaluations: rows.map(toEvaluation) }
}

async function finish(
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
    const [row] = await sql<EvaluationRow>`
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
      RETURNING id, workspace_id, trace_id, log_id, evaluator_slug, evaluator_version, connection_id, model, status,
        attempts, due_at, deadline_at, problem, value, comment, cost, input_tokens, output_tokens, created_at, changed_at`
    if (outcome.type === 'again') due.push({ ...of, dueMs: dueAt.getTime() })
    if (cost !== null) {
      const key = JSON.stringify([of.workspaceId, connectionOf(of)])
      const known = costs.get(key)?.cost ?? 0
      costs.set(key, { workspaceId: of.workspaceId, connection: connectionOf(of), cost: known + cost })
    }
    if (row?.status === 'judged') judged.push(toEvaluation(row))
  }
  for (const [, { workspaceId, connection, cost }] of [...costs].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  ))
    await addCost(sql, { workspaceId, connection }, cost, now)
  await noteDue(sql, due)
  return judged
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

/** By the index of what is not stored. */
async function unstored(sql: Sql, holder: string, abandonedBefore: Date): Promise<Batch[]> {
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

async function hold(
  sql: Sql,
  lane: LaneKey,
  { until, problem, now }: { until: Date; problem: string; now: Date },
): Promise<void> {
  await sql`
    UPDATE evaluation_lanes SET problem = ${problem},
      problems = problems + CASE WHEN held_until > ${now.getTime()} THEN 0 ELSE 1 END,
      held_until = CASE WHEN held_until > ${until.getTime()} THEN held_until ELSE ${until.getTime()} END
    WHERE workspace_id = ${lane.workspaceId} AND connection_id = ${connectionOf(lane)} AND model = ${modelOf(lane)}`
}

async function recover(sql: Sql, lane: LaneKey, now: Date): Promise<void> {
  await sql`
    UPDATE evaluation_lanes SET problem = NULL, problems = 0
    WHERE workspace_id = ${lane.workspaceId} AND connection_id = ${connectionOf(lane)} AND model = ${modelOf(lane)}
      AND held_until <= ${now.getTime()}`
}

async function pass(sql: Sql, lane: LaneKey, now: Date): Promise<void> {
  await sql`
    UPDATE evaluation_lanes SET problem = NULL, problems = 0, held_until = 0, probed_at = ${now.getTime()}
    WHERE workspace_id = ${lane.workspaceId} AND connection_id = ${connectionOf(lane)} AND model = ${modelOf(lane)}`
}

async function doubt(sql: Sql, lane: LaneKey): Promise<void> {
  await sql`
    UPDATE evaluation_lanes SET probed_at = NULL
    WHERE workspace_id = ${lane.workspaceId} AND connection_id = ${connectionOf(lane)} AND model = ${modelOf(lane)}`
}

type Taken = { workspace_id: string; connection_id: string; model: string }

async function takeBack(sql: Sql, from: { holder: string } | { lostBefore: Date }, now: Date): Promise<void> {
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
    rows.map((row) => ({
      workspaceId: row.workspace_id,
      asked: row.connection_id === '' ? undefined : { connectionId: row.connection_id, model: row.model },
      dueMs: at,
    })),
  )
}

/** Those of each lane that have been due for so long, by its index; one that is begun is looked at when it is. */
async function failLate(sql: Sql, dueBefore: Date, now: Date): Promise<boolean> {
  const lanes = await sql<LaneRow & { problem: string | null }>`
    SELECT workspace_id, connection_id, model, problem FROM evaluation_lanes WHERE due_at < ${dueBefore.getTime()}`
  let isMore = false
  for (const { workspace_id: workspaceId, connection_id: connection, model, problem } of lanes) {
    const late = await sql<{ id: string }>`
      SELECT id FROM evaluations
      WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
        AND status = 'waiting' AND due_at < ${dueBefore.getTime()}
      ORDER BY due_at LIMIT ${sweptMax}`
    await sql`
      UPDATE evaluations SET status = 'failed', changed_at = ${now.getTime()},
        problem = ${`${lateProblem} ${problem ?? ''}`.trim()}
      WHERE id IN (${late.map(({ id }) => id)}) AND status = 'waiting'`
    await sql`
      UPDATE evaluation_lanes SET due_at = (
        SELECT min(due_at) FROM evaluations
        WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
          AND status = 'waiting')
      WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}`
    isMore ||= late.length === sweptMax
  }
  return isMore
}

/** What is said of an evaluation that waited too long, before the reason. */
export const lateProblem = 'It was not judged before its deadline.'

/** What ended well or was skipped is kept for a time, so that a record that is drained again is known. */
async function forget(sql: Sql, { ended, failed }: { ended: Date; failed: Date }): Promise<void> {
  await sql`
    DELETE FROM evaluations WHERE (status IN ('done', 'skipped') AND changed_at < ${ended.getTime()})
      OR (status = 'failed' AND changed_at < ${failed.getTime()})`
  await sql`DELETE FROM evaluation_spend WHERE day < ${failed.getTime()}`
}

/** By the indexes of what is under way: what ended is many times as much. */
async function totals(sql: Sql): Promise<{ waiting: number; running: number; judged: number }> {
  const [waiting] = await sql<Count>`SELECT count(*) AS count FROM evaluations WHERE status = 'waiting'`
  const [running] = await sql<Count>`SELECT count(*) AS count FROM evaluations WHERE status = 'running'`
  const [judged] = await sql<Count>`SELECT count(*) AS count FROM evaluations WHERE status = 'judged'`
  return { waiting: waiting?.count ?? 0, running: running?.count ?? 0, judged: judged?.count ?? 0 }
}

type Count = { count: number }
