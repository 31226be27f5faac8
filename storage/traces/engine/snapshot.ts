import { basename, dirname, join } from 'node:path'
import { copyFolder } from '../../copy-folder.ts'
import type { Clients } from './clients.ts'

/**
 * Copies an embedded store to a folder that another process can open. The caller pauses writes, and merges are stopped,
 * so that the active parts stay the same. Parts are immutable and are hard-linked; the rest is small and is copied,
 * including the deduplication log, so that a replay after a restore stores nothing twice.
 */
export async function snapshotFolder(clients: Clients, folder: string, target: string): Promise<void> {
  await clients.command('SYSTEM STOP MERGES')
  try {
    const parts = await clients.read<{ path: string }>(
      'SELECT path FROM system.parts WHERE active AND database = currentDatabase()',
      {},
    )
    const ofTables = await clients.read<{ path: string }>(
      'SELECT arrayJoin(data_paths) AS path FROM system.tables WHERE database = currentDatabase()',
      {},
    )
    const active = new Set(parts.map(({ path }) => idOfPart(path)))
    const tables = new Set(ofTables.map(({ path }) => basename(path)))
    const unneeded = new Set([join(folder, 'status'), join(folder, 'tmp')])
    await copyFolder(folder, target, (path, entry) => {
      if (unneeded.has(path)) return 'leave out'
      if (!entry.isDirectory()) return active.has(idOfPart(dirname(path))) ? 'link' : 'copy'
      const isPart = tables.has(basename(dirname(path))) && !besideParts.has(entry.name)
      return isPart && !active.has(idOfPart(path)) ? 'leave out' : 'copy'
    })
  } finally {
    await clients.command('SYSTEM START MERGES')
  }
}

const besideParts = new Set(['deduplication_logs', 'detached'])

/** Identifies a part by its table's folder name and its own: the engine may report another absolute path. */
const idOfPart = (path: string): string => join(basename(dirname(path)), basename(path))
