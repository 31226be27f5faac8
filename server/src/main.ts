/** Start here: reads the settings, locks the data directory, builds the service, listens, and shuts down gracefully. */
import { lockDatabase } from '@plumbline/storage/control'
import { createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { makeTimer } from './jobs/timer.ts'
import { reasonOf } from './process/cannot-start.ts'
import { lockDataDir } from './process/data/data-folder.ts'
import { setEngineFlags } from './process/engine-flags.ts'
import { idleCheckMs, makeIdleCollection } from './process/idle-memory.ts'
import { makeLogger } from './process/logger.ts'
import { handleUncaught } from './process/uncaught.ts'
import { makeStartupBanner } from './startup-banner.ts'

const standardError = 2

/** Shorter keys can be guessed. */
const weakBelow = 16

/** How long stopping after an unknown error may take. */
const stopTimeoutMs = 30_000

async function main(settings: Config): Promise<void> {
  const folder = lockDataDir(settings.PLUMBLINE_DATA_DIR)
  // Diagnostics go to standard error, so that standard output has only the startup banner.
  const logger = makeLogger(settings.LOG_LEVEL, standardError)
  if (folder.exposedPaths.length > 0)
    logger.warn(
      { paths: folder.exposedPaths },
      'other users of this machine may be able to read these paths: they belong to another user, who has to change their file modes',
    )
  if ((settings.PLUMBLINE_API_KEY?.length ?? weakBelow) < weakBelow) {
    logger.warn(`PLUMBLINE_API_KEY is shorter than ${weakBelow} characters and could be guessed`)
  }
  const { DATABASE_URL, CLICKHOUSE_URL } = settings
  const nodeLock =
    DATABASE_URL === undefined
      ? undefined
      : await lockDatabase(DATABASE_URL, {
          isAlone: CLICKHOUSE_URL === undefined,
          onConflict: () => logger.error('another node uses DATABASE_URL without CLICKHOUSE_URL'),
        })
  const app = await createApp({ config: settings, dataFolder: folder.path, logger })

  // One per process, not per app: several apps in one process would each collect for all of them.
  const idleMemory = makeTimer({
    ...{ name: 'idle memory', everyMs: idleCheckMs, logger },
    tick: makeIdleCollection(app.traceStore),
  })
  await idleMemory.start()

  let isStopping = false
  const stop = async (reason: string, exitCode: number): Promise<void> => {
    if (isStopping) return
    isStopping = true
    logger.info({ reason }, 'stopping')
    // After an unknown error, stopping may hang. Acknowledged data survives a forced exit, too.
    if (exitCode !== 0) setTimeout(() => process.exit(exitCode), stopTimeoutMs).unref()
    try {
      await idleMemory.stop()
      await app.close()
    } catch (error) {
      logger.fatal({ err: error }, 'the service could not shut down cleanly')
      process.exit(1)
    }
    await nodeLock?.release().catch(() => undefined)
    folder.release()
    process.exit(exitCode)
  }
  handleUncaught({ logger, stop: () => void stop('unhandled error', 1) })
  process.on('SIGTERM', (signal) => void stop(signal, 0))
  process.on('SIGINT', (signal) => void stop(signal, 0))

  await app.server.listen({ host: settings.HOST, port: settings.PORT })
  const otlpGrpcPort = await app.listenGrpc(settings.HOST, settings.OTLP_GRPC_PORT)
  const [listener] = app.server.addresses()
  const port = typeof listener === 'object' ? listener.port : settings.PORT
  const address = settings.PLUMBLINE_PUBLIC_URL ?? `http://localhost:${port}`
  process.stdout.write(makeStartupBanner(address, { ...app, firstSecret: await app.ensureFirstKey() }))
  logger.info({ port, otlpGrpcPort }, 'listening')
}

setEngineFlags()
let config: Config | undefined
try {
  config = readConfig()
  await main(config)
} catch (error) {
  const text = reasonOf(error, config) ?? (error instanceof Error ? error.stack : String(error))
  process.stderr.write(`Plumbline cannot start.\n${text}\n`)
  process.exit(1)
}
