/**
 * Removes the files of replaced parts. The engine keeps them for eight minutes (`old_parts_lifetime`), because it lets
 * the operating system decide when a merged part reaches the disk: after a power loss it may need the old ones. With
 * the embedded engine, we sync the new parts and then have the old ones removed at once.
 */
import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clients } from '../engine/clients.ts'
import { engineTime, inPurgedTables, purgedTables } from './purge.ts'

/** Longer than the statements between taking the time and removing the files. */
const marginSeconds = 5
/** Longer than the operating system delays writes. */
const unwrittenSecondsMax = 600
/** Dropping a partition removes old files first; nothing has arrived in this month. */
const emptyPartition = '190001'

/** Removes files of parts that were replaced some seconds ago. */
export async function removeOldParts(clients: Clients): Promise<void> {
  const startedAt = await engineTime(clients)
  // Every part replaced so far was replaced by parts that are durable after this.
  await syncParts(clients)
  const elapsedSeconds = ((await engineTime(clients)).getTime() - startedAt.getTime()) / 1000
  for (const table of purgedTables) {
    await clients.command(
      `ALTER TABLE ${table} MODIFY SETTING old_parts_lifetime = ${elapsedSeconds + marginSeconds}`,
    )
    try {
      await clients.command(`ALTER TABLE ${table} DROP PARTITION ID '${emptyPartition}'`)
    } finally {
      await clients.command(`ALTER TABLE ${table} RESET SETTING old_parts_lifetime`)
    }
  }
}

/** Restores the engine's own lifetime if a process died before doing so. */
export async function restoreLifetime(clients: Clients): Promise<void> {
  const tables = await clients.read<{ name: string }>(
    `SELECT name FROM system.tables
     WHERE database = currentDatabase() AND engine_full LIKE '%old_parts_lifetime%'`,
    {},
  )
  for (const { name } of tables) await clients.command(`ALTER TABLE ${name} RESET SETTING old_parts_lifetime`)
}

/** How many parts replaced before a given time are still on disk. Patches are not counted: they contain no row content. */
export async function countOldParts(clients: Clients, replacedBefore: Date): Promise<number> {
  const [row] = await clients.read<{ parts: string }>(
    `SELECT toString(count()) AS parts FROM system.parts
     WHERE ${inPurgedTables} AND NOT active AND NOT startsWith(partition_id, 'patch-')
       AND toInt64(remove_time) <= {before:Int64}`,
    { before: Math.ceil(replacedBefore.getTime() / 1000) },
  )
  return Number(row?.parts)
}

/** Syncs the active parts to disk. */
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
      // The part was replaced meanwhile, too late for its files to be removed by this call.
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
