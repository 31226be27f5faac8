/** Sends the messages that wait, on this node: few at a time to one channel, so that a slow one holds up no other. */
import type { DueNotification, NotificationQueue } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { makePoller, type Poller } from '../../jobs/poller.ts'
import type { Keyring } from '../../operate/secrets/keyring.ts'
import { openTarget } from './channel-secrets.ts'
import { makeMessage } from './message.ts'
import { attemptsMax, leaseMs, retryDelayMs } from './retry-policy.ts'
import type { Send } from './send.ts'
import type { SendResult } from './send-result.ts'

interface DelivererDeps {
  readonly queue: NotificationQueue
  readonly keyring: Keyring
  readonly send: Send
  readonly publicUrl: string | undefined
  readonly leaseOwner: string
  readonly logger: Logger
  readonly now: () => Date
}

const concurrencyMax = 16
const concurrencyMaxPerChannel = 4

export function makeDeliverer(parts: DelivererDeps): Poller {
  const { queue, keyring, send, publicUrl, leaseOwner, logger, now } = parts
  const abort = new AbortController()
  const inFlight = new Map<Promise<void>, string>()
  let hasStarted = false

  const claimSome = async (): Promise<boolean> => {
    const time = now()
    const channels = [...inFlight.values()]
    const claimed = await queue.begin({
      holder: leaseOwner,
      limit: Math.min(concurrencyMaxPerChannel, concurrencyMax - inFlight.size),
      busyChannels: channels.filter(
        (id) => channels.filter((other) => other === id).length >= concurrencyMaxPerChannel,
      ),
      lostAt: new Date(time.getTime() + leaseMs),
      now: time,
    })
    for (const notification of claimed) {
      const work: Promise<void> = deliver(notification).finally(() => {
        inFlight.delete(work)
        if (!poller.isStopped()) poller.notify()
      })
      inFlight.set(work, notification.channelId)
    }
    return claimed.length > 0
  }

  const deliver = async (notification: DueNotification): Promise<void> => {
    try {
      const result = await trySend(notification)
      // What was cut short by stopping is due again at the next start.
      if (poller.isStopped() && result.type === 'failed') return
      await recordResult(notification, result)
    } catch (error) {
      // It is tried again, under the same id, when the time for it is over.
      logger.warn({ err: error }, 'what became of a message of an alert could not be written down')
    }
  }

  const trySend = async (notification: DueNotification): Promise<SendResult> => {
    const { channel, workspaceId } = notification
    const final = (problem: string): SendResult => ({
      type: 'failed',
      problem,
      responseText: undefined,
      isFinal: true,
    })
    if (channel === undefined) return final('The channel was deleted or disabled.')
    try {
      const target = openTarget(keyring, channel.sealed, workspaceId)
      return await send(target, makeMessage(notification, publicUrl), abort.signal)
    } catch (error) {
      logger.warn({ err: error }, 'a channel could not be opened')
      return final('The address was encrypted with another PLUMBLINE_SECRET_KEY; give it again.')
    }
  }

  const recordResult = async (notification: DueNotification, result: SendResult): Promise<void> => {
    if (result.type === 'delivered') return queue.delivered(notification, { holder: leaseOwner, now: now() })
    const { problem, retryAfterMs, isFinal = false, isGone = false } = result
    const pauseMs = Math.max(retryDelayMs(notification.attempts, Math.random()), retryAfterMs ?? 0)
    const dueAt =
      isFinal || notification.attempts >= attemptsMax
        ? undefined
        : new Date(now().getTime() + Math.ceil(pauseMs))
    await queue.failed(notification, { holder: leaseOwner, problem, dueAt })
    if (isGone)
      await queue.disable(notification.channelId, {
        problem: 'The receiver answered 410 Gone: it wants no more messages.',
        now: now(),
      })
  }

  const poller = makePoller({
    async tick() {
      if (!hasStarted) await queue.takeBack(leaseOwner, now())
      hasStarted = true
      // Most looks find nothing: they are spared the transaction.
      const firstMs = await queue.nextDueMs()
      if (firstMs !== undefined && firstMs <= now().getTime())
        while (!poller.isStopped() && inFlight.size < concurrencyMax && (await claimSome()));
      const nextMs = await queue.nextDueMs()
      return nextMs === undefined ? undefined : new Date(nextMs)
    },
    subject: 'the messages of alerts',
    logger,
    now,
  })

  return {
    ...poller,
    async stop() {
      const stopped = poller.stop()
      abort.abort()
      await stopped
      await Promise.all(inFlight.keys())
      await queue.takeBack(leaseOwner, now()).catch(() => undefined)
    },
  }
}
