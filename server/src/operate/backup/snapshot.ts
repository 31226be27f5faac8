/**
 * A folder that the service could start on, with the state at one moment; created inside the data directory, mostly from
 * links.
 */
import { mkdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { snapshotFile } from '@plumbline/storage/control'
import { copyFolder, linkFile } from '@plumbline/storage/copy-folder'
import type { Spool } from '@plumbline/storage/spool'
import type { TraceStore } from '@plumbline/storage/traces'
import type { Drain } from '../../ingest/monitor/drain.ts'
import { isOwnName } from '../../process/data/data-folder.ts'

export interface SnapshotParts {
  readonly dataFolder: string
  readonly spool: Spool
  readonly drain: Drain
  readonly traceStore: TraceStore
  /** Whether files are stored in a bucket instead of the data directory. */
  readonly hasBucket: boolean
}

export interface Snapshot {
  readonly folder: string
  /** Data that the service stores elsewhere, and that must be backed up there. */
  readonly elsewhere: readonly string[]
}

const controlFile = 'control.db'

/** Where a snapshot is made; leftovers of a killed process are removed first. */
const folderOf = (dataFolder: string): string => join(dataFolder, 'snapshot')

/**
 * Includes everything acknowledged before. Nothing moves from the spool to the trace store in the meantime, so each record
 * is in exactly one of the two; recording continues. The control plane comes first: if a record arrives afterwards under an
 * idempotency key, a restored service stores its retry again instead of mistaking it for a stored one.
 */
export function takeSnapshot({
  dataFolder,
  spool,
  drain,
  traceStore,
  hasBucket,
}: SnapshotParts): Promise<Snapshot> {
  const folder = folderOf(dataFolder)
  return drain.pauseWhile(async () => {
    await removeSnapshot(dataFolder)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const elsewhere: string[] = []
    const control = join(dataFolder, controlFile)
    if (await isThere(control)) await snapshotFile(control, join(folder, controlFile))
    else elsewhere.push('the control plane (PostgreSQL)')
    if (!(await traceStore.snapshot(join(folder, 'traces')))) elsewhere.push('the traces (ClickHouse)')
    if (hasBucket) elsewhere.push('the files (bucket)')
    await spool.seal()
    await mkdir(join(folder, 'spool'))
    for (const segment of spool.sealed()) {
      const source = await spool.source(segment)
      // A shared spool is in the control plane's database.
      if ('path' in source) await linkFile(source.path, join(folder, 'spool', basename(source.path)))
    }
    await copyFolder(dataFolder, folder, (path, entry) => {
      const name = path.slice(dataFolder.length + 1)
      const isForeign = name === entry.name && !isOwnName(name)
      if (isForeign || isElsewhere.test(name) || entry.name.endsWith('.partial')) return 'leave out'
      return path.startsWith(join(dataFolder, 'files')) ? 'link' : 'copy'
    })
    return { folder, elsewhere }
  })
}

export const removeSnapshot = (dataFolder: string): Promise<void> =>
  rm(folderOf(dataFolder), { recursive: true, force: true })

/**
 * Names that are copied separately, belong to the running process, or must not be in a backup: the secret that decrypts data
 * of the control plane.
 */
const isElsewhere = /^(?:snapshot|traces|spool|control\.db.*|lock\.db.*|secret\.key.*)$/

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
