/** How many parts a merge of the embedded engine joins, which only table settings control. */
import type { Clients } from './clients.ts'

const setting = 'max_parts_to_merge_at_once'

/** Sets the limit for all tables, or resets it to the engine's own; leaves tables alone that already have it. */
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

/** The tables that grow during a burst. */
const largeTables = ['logs', 'traces'] as const
const burstSettings = {
  min_parts_to_merge_at_once: 32,
  /** Rows per part that a merge keeps in memory: an eighth of the engine's default, since many more parts are merged. */
  merge_max_block_size: 1024,
}
const burstNames = Object.keys(burstSettings)

/**
 * Makes merges of the large tables wait for many parts, or restores the engine's own choice. A running merge continues.
 * The setting persists across processes until it is changed again.
 */
export async function deferMerges(clients: Pick<Clients, 'command'>, isDeferred: boolean): Promise<void> {
  const change = isDeferred
    ? `MODIFY SETTING ${Object.entries(burstSettings).map(([name, value]) => `${name} = ${value}`)}`
    : `RESET SETTING ${burstNames}`
  for (const table of largeTables) await clients.command(`ALTER TABLE ${table} ${change}`)
}

/** Ends deferral left behind by a process that ended during a burst. */
export async function endDeferredMerges(clients: Pick<Clients, 'read' | 'command'>): Promise<void> {
  const tables = await clients.read(
    `SELECT name FROM system.tables
     WHERE database = currentDatabase() AND position(engine_full, '${burstNames[0]} =') > 0`,
    {},
  )
  if (tables.length > 0) await deferMerges(clients, false)
}
