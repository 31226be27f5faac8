/**
 * Lanes of the queue of evaluations: what waits for the same model waits in one. A lane says when the first of its
 * evaluations is due, until when nothing of it may begin and why, and whether its model was shown to work.
 */
import type { Evaluation } from './evaluation-rows.ts'
import type { Sql } from './sql.ts'

/**
 * Where those wait that ask the same model of a connection; what asks none waits in one of two lanes of its workspace:
 * rules are judged at once, and code takes its time.
 */
export type LaneKey = Pick<Evaluation, 'workspaceId' | 'asked' | 'isCode'>

export type Lane = LaneKey & {
  /** How many problems in a row there were with its model. */
  problems: number
  /** Whether its model was shown to answer as it must. */
  isProbed: boolean
}

/** What stands in place of a model for code, which has no connection. */
const codeModel = 'code'

/** A lane as it stands in columns. */
export type LaneColumns = { workspaceId: string; connection: string; model: string }

export const columnsOfLane = ({ workspaceId, asked, isCode }: LaneKey): LaneColumns => ({
  workspaceId,
  connection: asked?.connectionId ?? '',
  model: asked?.model ?? (isCode ? codeModel : ''),
})

type Columns = { readonly workspace_id: string; readonly connection_id: string; readonly model: string }

/** What columns say. */
export const laneOf = ({ workspace_id, connection_id, model }: Columns): LaneKey => ({
  workspaceId: workspace_id,
  asked: connection_id === '' ? undefined : { connectionId: connection_id, model },
  isCode: connection_id === '' && model === codeModel,
})

/** Lanes learn when the first of theirs is due; only a claim of the lane moves it later. */
export async function noteDue(
  sql: Sql,
  due: readonly (LaneKey & { readonly dueMs: number })[],
): Promise<void> {
  const lanes = new Map<string, LaneColumns & { readonly dueMs: number }>()
  for (const { dueMs, ...lane } of due) {
    const columns = columnsOfLane(lane)
    const key = JSON.stringify(columns)
    const known = lanes.get(key)
    if (known === undefined || dueMs < known.dueMs) lanes.set(key, { ...columns, dueMs })
  }
  // In one order for all, so that two nodes never wait for each other's rows.
  for (const [, { workspaceId, connection, model, dueMs }] of [...lanes].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  ))
    await sql`
      INSERT INTO evaluation_lanes (workspace_id, connection_id, model, due_at, held_until, problems)
      VALUES (${workspaceId}, ${connection}, ${model}, ${dueMs}, 0, 0)
      ON CONFLICT (workspace_id, connection_id, model) DO UPDATE SET due_at = CASE
        WHEN evaluation_lanes.due_at < excluded.due_at THEN evaluation_lanes.due_at ELSE excluded.due_at END`
}

/** Lanes in which something is due, the longest first: as many as models that judge, and two for each workspace. */
export async function openLanes(sql: Sql, now: Date, limit: number): Promise<Lane[]> {
  const rows = await sql<Columns & { problems: number; probed_at: number | null }>`
    SELECT workspace_id, connection_id, model, problems, probed_at FROM evaluation_lanes
    WHERE due_at <= ${now.getTime()} AND held_until <= ${now.getTime()} ORDER BY due_at LIMIT ${limit}`
  return rows.map((row) => ({
    ...laneOf(row),
    problems: row.problems,
    isProbed: row.connection_id === '' || row.probed_at !== null,
  }))
}

/** When something will be due; undefined when nothing waits. */
export async function nextDueMs(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ next: number | null }>`
    SELECT min(CASE WHEN held_until > due_at THEN held_until ELSE due_at END) AS next
    FROM evaluation_lanes WHERE due_at IS NOT NULL`
  return row?.next ?? undefined
}

/** Lets nothing of a lane begin before; what is said while it is held counts as one problem. */
export async function hold(
  sql: Sql,
  lane: LaneKey,
  { until, problem, now }: { until: Date; problem: string; now: Date },
): Promise<void> {
  const { workspaceId, connection, model } = columnsOfLane(lane)
  await sql`
    UPDATE evaluation_lanes SET problem = ${problem},
      problems = problems + CASE WHEN held_until > ${now.getTime()} THEN 0 ELSE 1 END,
      held_until = CASE WHEN held_until > ${until.getTime()} THEN held_until ELSE ${until.getTime()} END
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}`
}

/** The lane's model answers again. */
export async function recover(sql: Sql, lane: LaneKey, now: Date): Promise<void> {
  const { workspaceId, connection, model } = columnsOfLane(lane)
  await sql`
    UPDATE evaluation_lanes SET problem = NULL, problems = 0
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
      AND held_until <= ${now.getTime()}`
}

/** The lane's model has shown that it answers as it must. */
export async function pass(sql: Sql, lane: LaneKey, now: Date): Promise<void> {
  const { workspaceId, connection, model } = columnsOfLane(lane)
  await sql`
    UPDATE evaluation_lanes SET problem = NULL, problems = 0, held_until = 0, probed_at = ${now.getTime()}
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}`
}

/** The lane's model has to show again that it answers as it must. */
export async function doubt(sql: Sql, lane: LaneKey): Promise<void> {
  const { workspaceId, connection, model } = columnsOfLane(lane)
  await sql`
    UPDATE evaluation_lanes SET probed_at = NULL
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}`
}

/** One that waits in a lane, and by what it is to be judged; by the index of the lane. */
export async function firstWaiting(
  sql: Sql,
  lane: LaneKey,
): Promise<{ evaluatorSlug: string; evaluatorVersion: number } | undefined> {
  const { workspaceId, connection, model } = columnsOfLane(lane)
  const [row] = await sql<{ evaluator_slug: string; evaluator_version: number }>`
    SELECT evaluator_slug, evaluator_version FROM evaluations
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
      AND status = 'waiting' LIMIT 1`
  return row && { evaluatorSlug: row.evaluator_slug, evaluatorVersion: row.evaluator_version }
}
