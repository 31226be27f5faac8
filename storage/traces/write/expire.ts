/** Whole months that have expired are dropped as partitions, which costs nothing. */
import type { Clients } from '../engine/clients.ts'
import type { Expiries } from './write-types.ts'

/** The tables with retention, and their arrival columns. Spans expire by TTL; hourly sums are kept. */
const tables = { traces: 'received_at', logs: 'received_at', scores: 'created_at' } as const

/** Drops months in which the rows of every workspace have expired. */
export async function dropExpiredMonths(clients: Clients, expiries: Expiries): Promise<void> {
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
      // If another workspace has written to the month since, it stays.
      if (isOver && (await isAlone(clients, table, arrival, month, workspaces)))
        await clients.command(`ALTER TABLE ${table} DROP PARTITION ${month}`)
    }
  }
}

/** Whether a month has rows of these workspaces only. */
async function isAlone(
  clients: Clients,
  table: string,
  arrival: string,
  month: number,
  workspaces: readonly string[],
): Promise<boolean> {
  const [otherRow] = await clients.search(
    `SELECT 1 AS found FROM ${table}
     WHERE toYYYYMM(${arrival}) = {month:UInt32} AND workspace_id NOT IN {workspaces:Array(String)} LIMIT 1`,
    { month, workspaces },
  )
  return otherRow === undefined
}
