/**
 * Polls the control plane for due work, one tick at a time: as soon as it is notified, when the next work is due, and at
 * regular intervals, since other nodes add work too.
 */
import type { Logger } from 'pino'

interface PollerDeps {
  /** Does what is due, and resolves with the time of the next work; undefined if nothing is waiting. */
  readonly tick: () => Promise<Date | undefined>
  /** What is polled, for the log message when a tick fails. */
  readonly subject: string
  readonly logger: Logger
  readonly now: () => Date
}

export interface Poller {
  /** Work may be due. */
  notify(): void
  /** Waits for the current tick to end, and starts no more. */
  stop(): Promise<void>
  /** For long-running work within a tick, to stop early. */
  isStopped(): boolean
}

const pollIntervalMs = 1000

export function makePoller({ tick, subject, logger, now }: PollerDeps): Poller {
  let running: Promise<void> | undefined
  let isNotified = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  const run = async (): Promise<void> => {
    isNotified = false
    let delayMs = pollIntervalMs
    try {
      const next = await tick()
      const untilDueMs = next === undefined ? 0 : next.getTime() - now().getTime()
      // Due work that was left must wait for other work, which notifies when it ends. Polling earlier would find the same.
      if (untilDueMs > 0) delayMs = Math.min(pollIntervalMs, untilDueMs)
    } catch (error) {
      logger.warn({ err: error }, `${subject} could not be polled`)
    }
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(notify, delayMs).unref()
  }

  const notify = (): void => {
    isNotified = true
    if (isStopped || running !== undefined) return
    running = run().finally(() => {
      running = undefined
      if (isNotified) notify()
    })
  }

  return {
    notify,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
    isStopped: () => isStopped,
  }
}
