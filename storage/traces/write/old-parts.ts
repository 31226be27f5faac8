/**
 * Removes the files of replaced parts. The engine keeps them for eight minutes (`old_parts_lifetime`), because it leaves
 * it to the operating system when a merged part reaches the disk: after a power loss it may need the old ones. Where the
 * engine is embedded, we make the new parts durable and then have the old ones removed at once.
 */
import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clients } from '../engine/clients.ts'
import { inPurgedTables, purgedTables } from './purge.ts'

const makesDurable = 'min_rows_to_fsync_after_merge = 1'
const removesSoon = 'old_parts_lifetime = 1'
/** Longer than the operating system keeps what it has to write. */
const unwrittenSecondsMax = 600

/** From here on the engine waits until a merged part is on the disk. */
export const syncMerges = (clients: Clients): Promise<void> =>
  changeSettings(clients, `MODIFY SETTING ${makesDurable}`)

/** Has replaced parts removed, unless a merge that began before a moment of the engine's clock may yet end undurable. */
export async function removeOldParts(clients: Clients, mergesSyncedSince: Date): Promise<void> {
  const [earlier] = await clients.read<{ merges: string }>(
    `SELECT toString(count()) AS merges FROM system.merges
     WHERE ${inPurgedTables} AND toUnixTimestamp(now()) - elapsed <= {since:Int64} + 1`,
    { since: Math.ceil(mergesSyncedSince.getTime() / 1000) },
  )
  if (earlier?.merges !== '0') return
  await syncParts(clients)
  // Another erasure may have restored the settings meanwhile.
  await changeSettings(clients, `MODIFY SETTING ${makesDurable}, ${removesSoon}`)
  // Without inserts an engine looks ever more rarely for files that it may remove.
  for (const table of purgedTables) await clients.mutateInBackground(`SYSTEM START MERGES ${table}`)
}

/** Restores the engine's own settings, where they are not. */
export async function restoreSettings(clients: Clients): Promise<void> {
  const [row] = await clients.read<{ tables: string }>(
    `SELECT toString(count()) AS tables FROM system.tables
     WHERE database = currentDatabase() AND engine_full LIKE '%fsync_after_merge%'`,
    {},
  )
  if (row?.tables === '0') return
  await changeSettings(clients, `MODIFY SETTING ${makesDurable}`)
  await changeSettings(clients, 'RESET SETTING min_rows_to_fsync_after_merge, old_parts_lifetime')
}

async function changeSettings(clients: Clients, change: string): Promise<void> {
  for (const table of purgedTables) await clients.command(`ALTER TABLE ${table} ${change}`)
}

/** How many parts that were replaced before a moment are still on the disk. Patches have no content of rows. */
export async function countOldParts(clients: Clients, replacedBefore: Date): Promise<number> {
  const [row] = await clients.read<{ parts: string }>(
    `SELECT toString(count()) AS parts FROM system.parts
     WHERE ${inPurgedTables} AND NOT active AND NOT startsWith(partition_id, 'patch-')
       AND toInt64(remove_time) <= {before:Int64}`,
    { before: Math.ceil(replacedBefore.getTime() / 1000) },
  )
  return Number(row?.parts)
}

/** Makes the parts durable that are read now. */
async function syncParts(clients: Clients): Promise<void> {
  const parts = await clients.read<{ path: string }>(
    `SELECT path FROM system.parts
     WHERE ${inPurgedTables} AND active AND modification_time > now() - ${unwrittenSecondsMax}`,
    {},
  )
  for (const { path } of parts) {
    try {
      for (const name of [...(await readdir(path)), '.']) await syncFile(join(path, name))
    } catch (error) {
      // A part that is gone was replaced by one that is durable.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, constants.O_RDONLY)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
