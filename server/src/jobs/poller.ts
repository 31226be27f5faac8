/**
 * Work that waits in the control plane is looked for in rounds, one at a time: at once when something says that there
 * is some, when the next is due, and now and then, since other nodes bring some about too.
 */
import type { Logger } from 'pino'

interface PollerDeps {
  /** Does what is due, and tells when the next is; undefined where nothing waits. */
  readonly tick: () => Promise<Date | undefined>
  /** What cannot be looked at when a round fails, for the operator. */
  readonly subject: string
  readonly logger: Logger
  readonly now: () => Date
}

export interface Poller {
  /** Says that something may be due. */
  notify(): void
  /** Ends the round under way, and begins no more. */
  stop(): Promise<void>
  /** What takes long within a round asks it on the way. */
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
      // What is due and was left waits for others to end, who say so: looking again at once would find the same.
      if (untilDueMs > 0) delayMs = Math.min(pollIntervalMs, untilDueMs)
    } catch (error) {
      logger.warn({ err: error }, `${subject} could not be looked at`)
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
