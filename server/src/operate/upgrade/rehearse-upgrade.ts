/** Applies the migrations of this version to a copy of a data directory, to know whether they pass and how long they take. */
import { constants } from 'node:fs'
import { cp, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openControlStore } from '@plumbline/storage/control'
import { openTraceStore } from '@plumbline/storage/traces'
import { BadConfiguration, type Config } from '../../config.ts'
import { lockDataDir } from '../../process/data/data-folder.ts'
import { refuseLostControl } from '../../process/stores.ts'

export interface UpgradeReport {
  readonly migrations: readonly {
    readonly store: 'control plane' | 'trace store'
    readonly name: string
    readonly tookMs: number
  }[]
  /** Both stores, from opening to being ready; the start of the service takes about as long. */
  readonly tookMs: number
  /** What was copied, and what the copy has after the migrations: an upgrade needs the difference on the disk. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

/** What migrations read and write. Files and backups stay where they are, and so does the spool. */
const copied = ['control.db', 'control.db-wal', 'traces']

export async function rehearseUpgrade(config: Config): Promise<UpgradeReport> {
  const elsewhere = (['DATABASE_URL', 'CLICKHOUSE_URL'] as const).filter((name) => config[name] !== undefined)
  if (elsewhere.length > 0)
    throw new BadConfiguration(
      `${elsewhere.join(' and ')} ${elsewhere.length > 1 ? 'are' : 'is'} set: a rehearsal copies a data directory alone. Restore the backups of these stores at other addresses, and start the new version there.`,
    )
  const folder = lockDataDir(config.PLUMBLINE_DATA_DIR)
  try {
    await refuseLostControl(folder.path, config)
    return await rehearseOn(folder.path)
  } finally {
    folder.release()
  }
}

async function rehearseOn(dataFolder: string): Promise<UpgradeReport> {
  const names = (await readdir(dataFolder)).filter((name) => copied.includes(name))
  const bytesBefore = await bytesOf(names.map((name) => join(dataFolder, name)))
  const parent = dirname(dataFolder)
  const { bavail, bsize } = await statfs(parent)
  if (bavail * bsize < bytesBefore)
    throw new BadConfiguration(
      `The copy needs ${bytesBefore} bytes in ${parent}, and ${bavail * bsize} are free: make room there.`,
    )
  const copy = await mkdtemp(join(parent, 'plumbline-upgrade-'))
  try {
    for (const name of names)
      await cp(join(dataFolder, name), join(copy, name), {
        recursive: true,
        verbatimSymlinks: true,
        mode: constants.COPYFILE_FICLONE,
      })
    return { bytesBefore, ...(await migrateCopy(copy)) }
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

async function migrateCopy(copy: string): Promise<Omit<UpgradeReport, 'bytesBefore'>> {
  const migrations: UpgradeReport['migrations'][number][] = []
  const note = (store: 'control plane' | 'trace store') => (name: string, tookMs: number) =>
    void migrations.push({ store, name, tookMs: Math.round(tookMs) })
  const startedAt = performance.now()
  const control = await openControlStore(
    { file: join(copy, 'control.db') },
    new Date(),
    note('control plane'),
  )
  try {
    const traceStore = await openTraceStore(
      { folder: join(copy, 'traces') },
      { onMigrated: note('trace store') },
    )
    await traceStore.close()
  } finally {
    await control.close()
  }
  const tookMs = Math.round(performance.now() - startedAt)
  return { migrations, tookMs, bytesAfter: await bytesOf([copy]) }
}

async function bytesOf(paths: readonly string[]): Promise<number> {
  let bytes = 0
  for (const path of paths) {
    const { isDirectory, size } = await stat(path).then((info) => ({
      isDirectory: info.isDirectory(),
      size: info.size,
    }))
    if (!isDirectory) bytes += size
    else {
      const entries = await readdir(path, { withFileTypes: true, recursive: true })
      for (const entry of entries)
        if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
    }
  }
  return bytes
}
