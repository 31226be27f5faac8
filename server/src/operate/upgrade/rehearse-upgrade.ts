/**
 * Applies this version's migrations to a data directory that no service uses: to a copy, to find out whether they succeed
 * and how long they take, or to the directory itself, with the copy as its backup.
 */
import { constants } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { openControlStore } from '@plumbline/storage/control'
import { openTraceStore } from '@plumbline/storage/traces'
import { BadConfiguration, type Config } from '../../config.ts'
import { lockDataDir } from '../../process/data/data-folder.ts'
import { refuseLostControl, requireDataFolder } from '../../process/stores.ts'

export interface UpgradeReport {
  readonly migrations: readonly {
    readonly store: 'control plane' | 'trace store'
    readonly name: string
    readonly tookMs: number
  }[]
  /** The time to open both stores until they are ready; the service takes about as long to start. */
  readonly tookMs: number
  /** The size of the copy before and after the migrations: an upgrade needs the difference in disk space. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

/** What migrations read and write. Files and backups stay where they are, and so does the spool. */
const copied = ['control.db', 'control.db-wal', 'traces']
/** Acknowledged records that are not stored yet belong to the traces of the same time. */
const saved = [...copied, 'spool']

export const rehearseUpgrade = (config: Config): Promise<UpgradeReport> =>
  withDataFolder(config, async (folder) => {
    const bytesBefore = await requireRoom(folder)
    const copy = await mkdtemp(join(dirname(folder), 'plumbline-upgrade-'))
    try {
      await copyStores(folder, copy)
      return { bytesBefore, ...(await migrateFolder(copy)) }
    } finally {
      await rm(copy, { recursive: true, force: true })
    }
  })

/** An upgrade, with the folder that has the previous state of the stores; undefined if nothing had to be migrated. */
export type UpgradedReport = UpgradeReport & { readonly backup: string | undefined }

export const upgradeInPlace = (config: Config, now: Date): Promise<UpgradedReport> =>
  withDataFolder(config, async (folder) => {
    const bytesBefore = await requireRoom(folder, saved)
    const time = now.toISOString().replace(/\W/g, '').slice(0, 15)
    const backup = join(dirname(folder), `${basename(folder)}-before-upgrade-${time}`)
    await backUp(folder, backup)
    try {
      const report = await migrateFolder(folder)
      if (report.migrations.length > 0) return { bytesBefore, ...report, backup }
    } catch (cause) {
      throw new BadConfiguration(
        `The upgrade failed, and ${folder} may be partly migrated. Its previous contents are in ${backup}: restore them from there. ${cause instanceof Error ? cause.message : String(cause)}`,
        { cause },
      )
    }
    await rm(backup, { recursive: true, force: true })
    return { migrations: [], tookMs: 0, bytesBefore, bytesAfter: bytesBefore, backup: undefined }
  })

/** The copy gets its final name when it is complete: a partial copy must not be mistaken for a backup. */
async function backUp(folder: string, backup: string): Promise<void> {
  const partial = `${backup}.partial`
  try {
    await mkdir(partial, { mode: 0o700 })
    await copyStores(folder, partial, saved)
    await rename(partial, backup)
  } catch (cause) {
    await rm(partial, { recursive: true, force: true })
    throw new BadConfiguration(
      `The stores cannot be copied to ${backup}, and nothing was changed: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}

async function withDataFolder<Result>(
  config: Config,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const elsewhere = (['DATABASE_URL', 'CLICKHOUSE_URL'] as const).filter((name) => config[name] !== undefined)
  if (elsewhere.length > 0)
    throw new BadConfiguration(
      `${elsewhere.join(' and ')} ${elsewhere.length > 1 ? 'are' : 'is'} set: plumbline upgrade copies only a data directory. Back up these stores with their own tools, restore the backup at other addresses to try the new version on it, and then let the new version migrate them when it starts.`,
    )
  requireDataFolder(config)
  const folder = lockDataDir(config.PLUMBLINE_DATA_DIR)
  try {
    await refuseLostControl(folder.path, config)
    return await work(folder.path)
  } finally {
    folder.release()
  }
}

/** The size of the copy in bytes; throws if it does not fit on the disk. */
async function requireRoom(folder: string, names: readonly string[] = copied): Promise<number> {
  const copies = (await readdir(folder)).filter((name) => names.includes(name))
  const bytes = await bytesOf(copies.map((name) => join(folder, name)))
  const parent = dirname(folder)
  const { bavail, bsize } = await statfs(parent)
  if (bavail * bsize < bytes)
    throw new BadConfiguration(
      `The copy needs ${bytes} bytes in ${parent}, but only ${bavail * bsize} are free: free up space there.`,
    )
  return bytes
}

async function copyStores(folder: string, copy: string, names: readonly string[] = copied): Promise<void> {
  for (const name of (await readdir(folder)).filter((each) => names.includes(each)))
    await cp(join(folder, name), join(copy, name), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    })
}

async function migrateFolder(folder: string): Promise<Omit<UpgradeReport, 'bytesBefore'>> {
  const migrations: UpgradeReport['migrations'][number][] = []
  const note = (store: 'control plane' | 'trace store') => (name: string, tookMs: number) =>
    void migrations.push({ store, name, tookMs: Math.round(tookMs) })
  const startedAt = performance.now()
  const control = await openControlStore({ file: join(folder, 'control.db') }, new Date(), {
    onMigrated: note('control plane'),
  })
  try {
    const traceStore = await openTraceStore(
      { folder: join(folder, 'traces') },
      { onMigrated: note('trace store') },
    )
    await traceStore.close()
  } finally {
    await control.close()
  }
  const tookMs = Math.round(performance.now() - startedAt)
  return { migrations, tookMs, bytesAfter: await bytesOf([folder]) }
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
