/**
 * Work that every node does again and again for itself: it polls what others changed, and writes down what it counts
 * in memory. What one node does for all is a scheduled job.
 */
import type { Logger } from 'pino'
import type { Service } from '../process/service.ts'

interface TimerParts {
  readonly name: string
  readonly everyMs: number
  readonly tick: () => Promise<void>
  /** Whether what is in memory at a stop has to be written down. */
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
