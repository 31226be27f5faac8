/**
 * Work that waits in the control plane is looked for in rounds, one at a time: at once when something says that there
 * is some, when the next is due, and now and then, since other nodes bring some about too.
 */
import type { Logger } from 'pino'

interface RoundsParts {
  /** Does what is due, and tells when the next is; undefined where nothing waits. */
  readonly round: () => Promise<Date | undefined>
  /** What cannot be looked at when a round fails, for the operator. */
  readonly what: string
  readonly logger: Logger
  readonly now: () => Date
}

export interface Rounds {
  /** Says that something may be due. */
  wake(): void
  /** Ends the round under way, and begins no more. */
  stop(): Promise<void>
  /** What takes long within a round asks it on the way. */
  isStopped(): boolean
}

const lookMs = 1000

export function makeRounds({ round, what, logger, now }: RoundsParts): Rounds {
  let running: Promise<void> | undefined
  let isAwake = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  const run = async (): Promise<void> => {
    isAwake = false
    let restMs = lookMs
    try {
      const next = await round()
      const leftMs = next === undefined ? 0 : next.getTime() - now().getTime()
      // What is due and was left waits for others to end, who say so: looking again at once would find the same.
      if (leftMs > 0) restMs = Math.min(lookMs, leftMs)
    } catch (error) {
      logger.warn({ err: error }, `${what} could not be looked at`)
    }
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(wake, restMs).unref()
  }

  const wake = (): void => {
    isAwake = true
    if (isStopped || running !== undefined) return
    running = run().finally(() => {
      running = undefined
      if (isAwake) wake()
    })
  }

  return {
    wake,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
    isStopped: () => isStopped,
  }
}
