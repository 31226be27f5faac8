/** How many parts a merge of the embedded engine joins, which only settings of each table say. */
import type { Clients } from './clients.ts'

const setting = 'max_parts_to_merge_at_once'

/** Sets it for all tables, or has them go by the engine's own limit; changes nothing where that is so already. */
export async function limitPartsPerMerge(
  clients: Pick<Clients, 'read' | 'command'>,
  partsMax: number | undefined,
): Promise<void> {
  const tables = await clients.read<{ name: string; limit: string }>(
    `SELECT name, extract(engine_full, '${setting} = (\\\\d+)') AS limit FROM system.tables
     WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
    {},
  )
  for (const { name, limit } of tables) {
    if (limit === String(partsMax ?? '')) continue
    const change =
      partsMax === undefined ? `RESET SETTING ${setting}` : `MODIFY SETTING ${setting} = ${partsMax}`
    await clients.command(`ALTER TABLE ${name} ${change}`)
  }
}

/** The tables that a burst grows. */
const largeTables = ['logs', 'traces'] as const
const burstSettings = {
  min_parts_to_merge_at_once: 32,
  /** Rows of each part that a merge has in memory: an eighth of the engine's own number, for many more parts. */
  merge_max_block_size: 1024,
}
const burstNames = Object.keys(burstSettings)

/**
 * Has merges of the large tables wait until they join many parts, or join as few as the engine likes. A merge that is
 * under way goes on. Both last until the other is called, in later processes as well.
 */
export async function deferMerges(clients: Pick<Clients, 'command'>, isDeferred: boolean): Promise<void> {
  const change = isDeferred
    ? `MODIFY SETTING ${Object.entries(burstSettings).map(([name, value]) => `${name} = ${value}`)}`
    : `RESET SETTING ${burstNames}`
  for (const table of largeTables) await clients.command(`ALTER TABLE ${table} ${change}`)
}

/** Ends what a process has left behind that ended in a burst. */
export async function endDeferredMerges(clients: Pick<Clients, 'read' | 'command'>): Promise<void> {
  const tables = await clients.read(
    `SELECT name FROM system.tables
     WHERE database = currentDatabase() AND position(engine_full, '${burstNames[0]} =') > 0`,
    {},
  )
  if (tables.length > 0) await deferMerges(clients, false)
}
