/**
 * Maintenance of a data directory while no service runs on it: `node maintenance.ts verify [--repair]`, `rehearse-upgrade`
 * and `upgrade`.
 */
import { join } from 'node:path'
import { ControlStoreDamaged, openControlStore } from '@plumbline/storage/control'
import { openTraceStore } from '@plumbline/storage/traces'
import { BadConfiguration, type Config, readConfig } from './config.ts'
import { fileStoreOf } from './datasets/files/file-store.ts'
import { rehearseUpgrade, upgradeInPlace } from './operate/upgrade/rehearse-upgrade.ts'
import { type VerifyReport, verify } from './operate/verify/verify.ts'
import { reasonOf } from './process/cannot-start.ts'
import { lockDataDir } from './process/data/data-folder.ts'
import { refuseLostControl, requireDataFolder } from './process/stores.ts'

/** A check must change nothing, and a migration should start with a copy of the data. */
function refuseMigration(name: string): never {
  throw new BadConfiguration(
    `The data was written by an earlier version of Plumbline and lacks the migration ${name}: verify it with that version, or run plumbline upgrade first, which keeps a copy.`,
  )
}

/** Verifies everything. A damaged control plane is a finding; without it, files cannot be checked. */
async function verifyOffline(config: Config, isRepair: boolean): Promise<VerifyReport> {
  if (config.DATABASE_URL === undefined) requireDataFolder(config)
  const folder = lockDataDir(config.PLUMBLINE_DATA_DIR)
  const dataFolder = folder.path
  if (config.DATABASE_URL === undefined) await refuseLostControl(dataFolder, config)
  const control = await openControlStore(
    config.DATABASE_URL === undefined
      ? { file: join(dataFolder, 'control.db') }
      : { url: config.DATABASE_URL },
    new Date(),
    { beforeMigration: refuseMigration },
  ).catch((error: unknown) => {
    if (error instanceof ControlStoreDamaged) return undefined
    throw error
  })
  const traceStore = await openTraceStore(
    config.CLICKHOUSE_URL === undefined
      ? { folder: join(dataFolder, 'traces') }
      : { url: config.CLICKHOUSE_URL, cluster: config.CLICKHOUSE_CLUSTER },
    { beforeMigration: refuseMigration },
  )
  try {
    const files = control && {
      control,
      fileStoreOf: (workspaceId: string) => fileStoreOf(workspaceId, { config, dataFolder, control }),
    }
    return await verify({ dataFolder, traceStore, files, isRepair })
  } finally {
    await traceStore.close()
    await control?.close()
    folder.release()
  }
}

const [command, ...options] = process.argv.slice(2)
let config: Config | undefined
try {
  const isVerify = command === 'verify' && options.every((option) => option === '--repair')
  const isUpgrade = command === 'upgrade' && options.length === 0
  if (!isVerify && !isUpgrade && !(command === 'rehearse-upgrade' && options.length === 0))
    throw new Error('Usage: verify [--repair] | rehearse-upgrade | upgrade')
  config = readConfig()
  const report = isVerify
    ? await verifyOffline(config, options.includes('--repair'))
    : isUpgrade
      ? await upgradeInPlace(config, new Date())
      : await rehearseUpgrade(config)
  process.stdout.write(`${JSON.stringify(report)}\n`)
} catch (error) {
  process.stderr.write(
    `${reasonOf(error, config) ?? (error instanceof Error ? error.message : String(error))}\n`,
  )
  process.exitCode = 1
}
