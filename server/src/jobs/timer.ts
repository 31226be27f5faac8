/**
 * Work that every node repeats for itself: it polls for changes of other nodes, and stores its in-memory counts. Work that
 * one node does for all is a scheduled job.
 */
import type { Logger } from 'pino'
import type { Service } from '../process/service.ts'

interface TimerParts {
  readonly name: string
  readonly everyMs: number
  readonly tick: () => Promise<void>
  /** Whether to tick once more at a stop, to store what is in memory. */
  readonly ticksAtStop?: boolean
  readonly logger: Logger
}

export function makeTimer({ name, everyMs, tick, ticksAtStop = false, logger }: TimerParts): Service {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  const run = (): void => {
    running ??= tick()
      .catch((error: unknown) =>
        logger.warn({ err: error, timer: name }, 'a timer failed and will run again'),
      )
      .finally(() => {
        running = undefined
      })
  }

  return {
    name,
    start() {
      timer = setInterval(run, everyMs).unref()
    },
    async stop() {
      clearInterval(timer)
      await running
      if (ticksAtStop) await tick()
    },
  }
}
