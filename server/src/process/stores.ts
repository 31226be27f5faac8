/** The stores of a process: the control plane, the trace store, and the spool of recently acknowledged records. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type ControlStore, openControlStore } from '@plumbline/storage/control'
import { openFileSpool, openSharedSpool, type SegmentDamage, type Spool } from '@plumbline/storage/spool'
import { openTraceStore, type TraceStore } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import { BadConfiguration, type Config, haveSharedStores } from '../config.ts'

export interface Stores {
  readonly control: ControlStore
  readonly traceStore: TraceStore
  readonly spool: Spool
  /** Damage that was found when the spool was opened. */
  readonly spoolDamage: readonly SegmentDamage[]
}

interface StoreParts {
  readonly config: Config
  /** A data directory that this process has locked. */
  readonly dataFolder: string
  /** The folder of the trace store, if outside the data directory. */
  readonly traceFolder?: string
  /** False only in the benchmark, to measure what durability costs. */
  readonly isDurable: boolean | undefined
  readonly logger: Logger
}

/** Limits the spool index, which is in memory: about 100 bytes per record. */
const spoolRecordsMax = 1_000_000
const controlFile = 'control.db'
/** One trace store batch. */
const segmentBytesMax = 16 * 1024 * 1024
/** The same message at startup and while draining, so that one log search finds both. */
export const recordsLost = 'acknowledged records in the spool were damaged on disk and are lost'

export async function openStores({
  config,
  dataFolder,
  traceFolder = join(dataFolder, 'traces'),
  isDurable,
  logger,
}: StoreParts): Promise<Stores> {
  if (config.DATABASE_URL === undefined) await refuseLostControl(dataFolder, config)
  const control = await openControlStore(
    config.DATABASE_URL === undefined
      ? { file: join(dataFolder, controlFile) }
      : { url: config.DATABASE_URL },
  )
  const traceStore = await openTraceStore(
    config.CLICKHOUSE_URL === undefined
      ? { folder: traceFolder }
      : { url: config.CLICKHOUSE_URL, cluster: config.CLICKHOUSE_CLUSTER },
    {
      onDamage: ({ table, part, rows, problem }) =>
        logger.error({ table, part, rows, problem }, 'a damaged part of the trace store was set aside'),
      onShardAway: (shard, error) =>
        logger.warn(
          { shard, err: error },
          'a trace store shard is unavailable: the service starts without it',
        ),
      onShardBack: (shard) => logger.info({ shard }, 'a trace store shard is back'),
    },
  )
  for (const { table, part, rows, problem } of traceStore.damagedParts())
    logger.error({ table, part, rows, problem }, 'a damaged part is missing from the trace store')
  const spoolDamage: SegmentDamage[] = []
  const spool = await openSpool({ config, dataFolder, isDurable, logger }, spoolDamage)
  return { control, traceStore, spool, spoolDamage }
}

/** In PostgreSQL, where all nodes can read it, if they share the other stores too; otherwise in files. */
function openSpool(
  { config, dataFolder, isDurable, logger }: Omit<StoreParts, 'traceFolder'>,
  damages: SegmentDamage[],
): Promise<Spool> {
  const limits = {
    bytesMax: config.PLUMBLINE_SPOOL_BYTES_MAX,
    recordsMax: spoolRecordsMax,
    segmentBytesMax,
  }
  if (haveSharedStores(config))
    return openSharedSpool({
      ...limits,
      url: config.DATABASE_URL,
      onProblem: (error) => logger.warn({ err: error }, 'the spool in PostgreSQL does not respond'),
    })
  return openFileSpool({
    ...limits,
    folder: join(dataFolder, 'spool'),
    isDurable,
    onDamage(damage) {
      damages.push(damage)
      const { path, damagedRecords, tornBytes } = damage
      if (damagedRecords > 0) logger.error({ path, records: damagedRecords }, recordsLost)
      if (tornBytes > 0)
        logger.warn(
          { path, tornBytes },
          'the end of the spool is incomplete: a write was cut short, or the disk damaged it',
        )
    },
  })
}

/** For maintenance of an existing installation: a mistyped folder must not pass as an empty one. */
export function requireDataFolder({ PLUMBLINE_DATA_DIR: path }: Pick<Config, 'PLUMBLINE_DATA_DIR'>): void {
  if (!existsSync(path)) throw new BadConfiguration(`PLUMBLINE_DATA_DIR ${path} does not exist.`)
  if (![controlFile, 'traces', 'spool'].some((name) => existsSync(join(path, name))))
    throw new BadConfiguration(`PLUMBLINE_DATA_DIR ${path} contains no Plumbline data.`)
}

/** Refuses traces without the control plane that they belong to: a new control plane would hide them all. */
export async function refuseLostControl(dataFolder: string, config: Config): Promise<void> {
  if (existsSync(join(dataFolder, controlFile))) return
  const remainingPaths: string[] = []
  for (const name of ['traces', 'spool']) {
    const entries = await readdir(join(dataFolder, name)).catch(() => [])
    if (entries.length > 0) remainingPaths.push(name)
  }
  if (remainingPaths.length > 0)
    throw new BadConfiguration(
      `PLUMBLINE_DATA_DIR ${config.PLUMBLINE_DATA_DIR} has ${remainingPaths.join(' and ')}, but ${controlFile}, the control plane that they belong to, is missing. Restore it from a backup, set DATABASE_URL if it is in PostgreSQL, or move ${remainingPaths.join(' and ')} away to start anew.`,
    )
}
