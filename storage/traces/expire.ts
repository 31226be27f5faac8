import type { Clients } from './clients.ts'

/** The tables of what expires, with the column of its arrival. Spans expire by themselves; hourly sums stay. */
const tables = { traces: 'received_at', logs: 'received_at', scores: 'created_at' } as const

/** From when on each workspace keeps what arrived, in milliseconds; a workspace that is not named keeps all. */
export type Expiries = ReadonlyMap<string, number>

/**
 * Deletes what has expired. A month goes whole, which costs nothing, where all of it has expired; of a month that is
 * shared with what stays, the rows go when the engine comes to it.
 */
export async function expire(clients: Clients, expiries: Expiries): Promise<void> {
  if (expiries.size === 0) return
  for (const [table, arrival] of Object.entries(tables)) {
    const months = await clients.search<{ month: number; workspaces: string[] }>(
      `SELECT toYYYYMM(${arrival}) AS month, groupUniqArray(toString(workspace_id)) AS workspaces
       FROM ${table} WHERE ${arrival} < fromUnixTimestamp64Milli({latest:Int64}) GROUP BY month ORDER BY month`,
      { latest: [...expiries.values()].reduce((latest, expiry) => Math.max(latest, expiry), 0) },
    )
    for (const { month, workspaces } of months) {
      const end = Date.UTC(Math.floor(month / 100), month % 100)
      const isOver = workspaces.every((id) => (expiries.get(id) ?? 0) >= end)
      // Another workspace may have written there since; then its rows are found by the next question.
      if (isOver && (await isAlone(clients, table, arrival, month, workspaces)))
        await clients.command(`ALTER TABLE ${table} DROP PARTITION ${month}`)
    }
    for (const [workspace, before] of expiries) {
      const expired = `workspace_id = {workspace:String} AND ${arrival} < fromUnixTimestamp64Milli({before:Int64})`
      const parameters = { workspace, before }
      const [found] = await clients.search(
        `SELECT 1 AS found FROM ${table} WHERE ${expired} LIMIT 1`,
        parameters,
      )
      if (found !== undefined)
        await clients.command(`ALTER TABLE ${table} DELETE WHERE ${expired}`, parameters)
    }
  }
}

/** Whether a month holds rows of these workspaces only. */
async function isAlone(
  clients: Clients,
  table: string,
  arrival: string,
  month: number,
  workspaces: readonly string[],
): Promise<boolean> {
  const [other] = await clients.search(
    `SELECT 1 AS found FROM ${table}
     WHERE toYYYYMM(${arrival}) = {month:UInt32} AND workspace_id NOT IN {workspaces:Array(String)} LIMIT 1`,
    { month, workspaces },
  )
  return other === undefined
}
