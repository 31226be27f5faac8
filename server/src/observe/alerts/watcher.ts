/** Looks at alerts when they are due, on this node: few at a time, since each asks the trace store. */
import type { AlertEvent, AlertWatch, ClaimedAlert } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { makePoller, type Poller } from '../../jobs/poller.ts'
import { evaluateAlert } from './evaluate-alert.ts'
import type { MeasureSource } from './measurements.ts'
import { nextEvaluation } from './windows.ts'

/** What the rest of the service does about an alert that fires. It is called at least once for each firing. */
export type OnFiring = (event: { readonly workspaceId: string; readonly alertId: string }) => Promise<void>

interface WatcherDeps {
  readonly watch: AlertWatch
  readonly tracesFor: (workspaceId: string) => MeasureSource
  /** What arrived before is in the trace store, as far as this node knows. */
  readonly storedUntil: () => Date
  readonly onFiring: readonly OnFiring[]
  /** Told when there may be messages to send. */
  readonly onNotification: () => void
  readonly leaseOwner: string
  readonly logger: Logger
  readonly now: () => Date
}

const concurrencyMax = 4
/** How long a node may hold an alert; longer than any look takes. */
const leaseMs = 120_000
const sweepMs = 60_000
/** How long what happened is known. */
const eventRetentionMs = 90 * 86_400_000
const unacknowledgedMax = 100

export function makeWatcher(parts: WatcherDeps): Poller {
  const { watch, leaseOwner, logger, now } = parts
  let hasStarted = false
  let sweptAtMs = Number.NEGATIVE_INFINITY

  const sweep = async (): Promise<void> => {
    const time = now()
    if (Math.abs(time.getTime() - sweptAtMs) < sweepMs) return
    if (!hasStarted) await watch.takeBack(leaseOwner, time)
    hasStarted = true
    await watch.adopt(time)
    await watch.forget(new Date(time.getTime() - eventRetentionMs))
    sweptAtMs = time.getTime()
  }

  const evaluateDue = async (): Promise<boolean> => {
    const time = now()
    // Most looks find nothing: they are spared the transaction.
    const dueMs = await watch.nextDueMs()
    if (dueMs === undefined || dueMs > time.getTime()) return false
    const lostAt = new Date(time.getTime() + leaseMs)
    const claimed = await watch.claim({ holder: leaseOwner, limit: concurrencyMax, lostAt, now: time })
    await Promise.all(claimed.map(evaluate))
    return claimed.length === concurrencyMax
  }

  const evaluate = async (alert: ClaimedAlert): Promise<void> => {
    const time = now()
    try {
      const times = { now: time, storedUntil: parts.storedUntil() }
      const result = await evaluateAlert(alert, parts.tracesFor(alert.workspaceId), times)
      const counts = await watch.settle(alert, result, time)
      if (counts && result.tells) parts.onNotification()
    } catch (error) {
      logger.warn({ err: error, alertId: alert.id }, 'an alert could not be looked at')
      await watch.postpone(alert, {
        problem: 'The trace store did not answer; it is looked at again.',
        nextAt: nextEvaluation(alert.rule, time),
      })
    }
  }

  /** A firing that the service could not act on, or that a process died over, comes again. */
  const runFiringHandlers = async (): Promise<void> => {
    for (const event of await watch.unheard(unacknowledgedMax))
      if (!poller.isStopped()) await handleFiring(event)
  }

  const handleFiring = async ({ id, workspaceId, alertId }: AlertEvent): Promise<void> => {
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

  const poller = makePoller({
    async tick() {
      await sweep()
      while (!poller.isStopped() && (await evaluateDue()));
      await runFiringHandlers()
      return undefined
    },
    subject: 'the alerts',
    logger,
    now,
  })

  return {
    ...poller,
    async stop() {
      await poller.stop()
      await watch.takeBack(leaseOwner, now()).catch(() => undefined)
    },
  }
}
