/** What a connection allows at a time and in a day, for everything that asks its models in the background. */
import type { Sql } from './sql.ts'

type OfConnection = { readonly workspaceId: string; readonly connection: string }

/** How many more may begin, or what holds them up and until when. */
export type Allowed = { count: number } | { held: { problem: string; until: Date } }

const goneLookMs = 60_000
const dayMs = 86_400_000

/** Beginning of the day (UTC) for which what is paid at this time counts. */
export const dayOf = (at: Date): number => Math.floor(at.getTime() / dayMs) * dayMs

/** The connection's row is locked, since judging and several runs may look at it at once. */
export async function allowedOf(
  sql: Sql,
  of: OfConnection & { readonly concurrencyMax: number; readonly now: Date },
): Promise<Allowed> {
  const { workspaceId, connection, now } = of
  const [limits] = await sql<{
    name: string
    concurrency_max: number | null
    spend_max_per_day: number | null
  }>`
    UPDATE connections SET name = name WHERE workspace_id = ${workspaceId} AND id = ${connection}
    RETURNING name, concurrency_max, spend_max_per_day`
  if (limits === undefined)
    return { held: { problem: 'The connection was deleted.', until: new Date(now.getTime() + goneLookMs) } }
  const today = dayOf(now)
  const [spend] = await sql<{ cost: number }>`
    SELECT cost FROM evaluation_spend
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND day = ${today}`
  const { name, spend_max_per_day: spendMax } = limits
  if (spendMax !== null && (spend?.cost ?? 0) >= spendMax) {
    const problem = `The connection "${name}" has spent the $${spendMax} that it may spend in a day (UTC).`
    return { held: { problem, until: new Date(today + dayMs) } }
  }
  const [judging] = await sql<{ count: number }>`
    SELECT count(*) AS count FROM evaluations
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND status = 'running'`
  const [trying] = await sql<{ count: number }>`
    SELECT count(*) AS count FROM experiment_run_cases
    WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND status = 'running'`
  const underWay = (judging?.count ?? 0) + (trying?.count ?? 0)
  return { count: (limits.concurrency_max ?? of.concurrencyMax) - underWay }
}

/** What was paid counts for the day. */
export async function addCost(
  sql: Sql,
  { workspaceId, connection }: OfConnection,
  cost: number,
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO evaluation_spend (workspace_id, connection_id, day, cost)
    VALUES (${workspaceId}, ${connection}, ${dayOf(now)}, ${cost})
    ON CONFLICT (workspace_id, connection_id, day) DO UPDATE SET cost = evaluation_spend.cost + excluded.cost`
}
