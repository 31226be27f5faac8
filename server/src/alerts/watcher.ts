/** Looks at alerts when they are due, on this node: few at a time, since each asks the trace store. */
import type { AlertEvent, AlertWatch, ClaimedAlert } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { makeRounds, type Rounds } from '../rounds.ts'
import { look } from './look.ts'
import type { Measuring } from './samples.ts'
import { nextLook } from './windows.ts'

/** What the rest of the service does about an alert that fires. It is called at least once for each firing. */
export type OnFiring = (event: { readonly workspaceId: string; readonly alertId: string }) => Promise<void>

interface WatcherParts {
  readonly watch: AlertWatch
  readonly tracesOf: (workspaceId: string) => Measuring
  /** What arrived before is in the trace store, as far as this node knows. */
  readonly storedUntil: () => Date
  readonly onFiring: readonly OnFiring[]
  /** Told when there may be messages to send. */
  readonly onTold: () => void
  readonly holder: string
  readonly logger: Logger
  readonly now: () => Date
}

const atOnceMax = 4
/** How long a node may hold an alert; longer than any look takes. */
const leaseMs = 120_000
const sweepMs = 60_000
/** How long what happened is known. */
const keptMs = 90 * 86_400_000
const unheardMax = 100

export function makeWatcher(parts: WatcherParts): Rounds {
  const { watch, holder, logger, now } = parts
  let hasBegun = false
  let sweptAtMs = Number.NEGATIVE_INFINITY

  const sweep = async (): Promise<void> => {
    const time = now()
    if (Math.abs(time.getTime() - sweptAtMs) < sweepMs) return
    if (!hasBegun) await watch.takeBack(holder, time)
    hasBegun = true
    await watch.adopt(time)
    await watch.forget(new Date(time.getTime() - keptMs))
    sweptAtMs = time.getTime()
  }

  const lookAtSome = async (): Promise<boolean> => {
    const time = now()
    // Most looks find nothing: they are spared the transaction.
    const dueMs = await watch.nextDueMs()
    if (dueMs === undefined || dueMs > time.getTime()) return false
    const lostAt = new Date(time.getTime() + leaseMs)
    const claimed = await watch.claim({ holder, limit: atOnceMax, lostAt, now: time })
    await Promise.all(claimed.map(lookAt))
    return claimed.length === atOnceMax
  }

  const lookAt = async (alert: ClaimedAlert): Promise<void> => {
    const time = now()
    try {
      const looking = { now: time, storedUntil: parts.storedUntil() }
      const looked = await look(alert, parts.tracesOf(alert.workspaceId), looking)
      const counts = await watch.settle(alert, looked, time)
      if (counts && looked.tells) parts.onTold()
    } catch (error) {
      logger.warn({ err: error, alertId: alert.id }, 'an alert could not be looked at')
      await watch.postpone(alert, {
        problem: 'The trace store did not answer; it is looked at again.',
        nextAt: nextLook(alert.rule, time),
      })
    }
  }

  /** A firing that the service could not act on, or that a process died over, comes again. */
  const tellService = async (): Promise<void> => {
    for (const event of await watch.unheard(unheardMax)) if (!rounds.isStopped()) await tell(event)
  }

  const tell = async ({ id, workspaceId, alertId }: AlertEvent): Promise<void> => {
    try {
      for (const onFiring of parts.onFiring) await onFiring({ workspaceId, alertId })
      await watch.heard(id, now())
    } catch (error) {
      logger.warn(
        { err: error, alertId },
        'what follows of an alert could not be done and will be tried again',
      )
    }
  }

  const rounds = makeRounds({
    async round() {
      await sweep()
      while (!rounds.isStopped() && (await lookAtSome()));
      await tellService()
      return undefined
    },
    what: 'the alerts',
    logger,
    now,
  })

  return {
    ...rounds,
    async stop() {
      await rounds.stop()
      await watch.takeBack(holder, now()).catch(() => undefined)
    },
  }
}
