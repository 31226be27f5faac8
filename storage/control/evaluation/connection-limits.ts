/** Concurrency and daily spend limits of a connection, shared by all background work that calls its models. */
import type { Sql } from '../store/sql.ts'

type ConnectionKey = { readonly workspaceId: string; readonly connection: string }

/** How many more calls may start, or why none may and until when. */
export type Allowance = { count: number } | { pause: { problem: string; until: Date } }

const deletedPauseMs = 60_000
const dayMs = 86_400_000

/** Start of the day (UTC) that costs at this time count for. */
export const dayOf = (time: Date): number => Math.floor(time.getTime() / dayMs) * dayMs

/** Locks the connection's row, since evaluations and experiment runs may check it concurrently. */
export async function countAllowed(
  sql: Sql,
  input: ConnectionKey & { readonly concurrencyMax: number; readonly now: Date },
): Promise<Allowance> {
  const { workspaceId, connection, now } = input
  const [limits] = await sql<{
    name: string
    concurrency_max: number | null
    spend_max_per_day: number | null
  }>`
    UPDATE connections SET name = name WHERE workspace_id = ${workspaceId} AND id = ${connection}
    RETURNING name, concurrency_max, spend_max_per_day`
  if (limits === undefined)
    return {
      pause: { problem: 'The connection was deleted.', until: new Date(now.getTime() + deletedPauseMs) },
    }
  const today = dayOf(now)
  const [spend] = await sql<{ cost: number }>`
    SELECT cost FROM evaluation_spend
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND day = ${today}`
  const { name, spend_max_per_day: spendMax } = limits
  if (spendMax !== null && (spend?.cost ?? 0) >= spendMax) {
    const problem = `The connection "${name}" has reached its spending limit of $${spendMax} a day (UTC).`
    return { pause: { problem, until: new Date(today + dayMs) } }
  }
  const [evaluations] = await sql<{ count: number }>`
    SELECT count(*) AS count FROM evaluations
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND status = 'running'`
  const [experimentCases] = await sql<{ count: number }>`
    SELECT count(*) AS count FROM experiment_run_cases
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND status = 'running'`
  const running = (evaluations?.count ?? 0) + (experimentCases?.count ?? 0)
  return { count: (limits.concurrency_max ?? input.concurrencyMax) - running }
}

/** Adds a cost to the day's spend. */
export async function addCost(
  sql: Sql,
  { workspaceId, connection }: ConnectionKey,
  cost: number,
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO evaluation_spend (workspace_id, connection_id, day, cost)
    VALUES (${workspaceId}, ${connection}, ${dayOf(now)}, ${cost})
    ON CONFLICT (workspace_id, connection_id, day) DO UPDATE SET cost = evaluation_spend.cost + excluded.cost`
}
