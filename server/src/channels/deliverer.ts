/** Sends the messages that wait, on this node: few at a time to one channel, so that a slow one holds up no other. */
import type { DueNotification, NotificationQueue } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { makeRounds, type Rounds } from '../rounds.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { openLeads } from './leads.ts'
import { messageOf } from './message.ts'
import { attemptsMax, leaseMs, pauseAfter } from './pace.ts'
import type { Send } from './send.ts'
import type { Sent } from './sent.ts'

interface DelivererParts {
  readonly queue: NotificationQueue
  readonly keyring: Keyring
  readonly send: Send
  readonly publicUrl: string | undefined
  readonly holder: string
  readonly logger: Logger
  readonly now: () => Date
}

const atOnceMax = 16
const atOnceMaxPerChannel = 4

export function makeDeliverer(parts: DelivererParts): Rounds {
  const { queue, keyring, send, publicUrl, holder, logger, now } = parts
  const abort = new AbortController()
  const underWay = new Map<Promise<void>, string>()
  let hasBegun = false

  const beginSome = async (): Promise<boolean> => {
    const time = now()
    const channels = [...underWay.values()]
    const begun = await queue.begin({
      holder,
      limit: Math.min(atOnceMaxPerChannel, atOnceMax - underWay.size),
      busyChannels: channels.filter(
        (id) => channels.filter((other) => other === id).length >= atOnceMaxPerChannel,
      ),
      lostAt: new Date(time.getTime() + leaseMs),
      now: time,
    })
    for (const notification of begun) {
      const work: Promise<void> = deliver(notification).finally(() => {
        underWay.delete(work)
        if (!rounds.isStopped()) rounds.wake()
      })
      underWay.set(work, notification.channelId)
    }
    return begun.length > 0
  }

  const deliver = async (notification: DueNotification): Promise<void> => {
    try {
      const result = await trySend(notification)
      // What was cut short by stopping is due again at the next start.
      if (rounds.isStopped() && result.type === 'failed') return
      await writeDown(notification, result)
    } catch (error) {
      // It is tried again, under the same id, when the time for it is over.
      logger.warn({ err: error }, 'what became of a message of an alert could not be written down')
    }
  }

  const trySend = async (notification: DueNotification): Promise<Sent> => {
    const { channel, workspaceId } = notification
    const final = (problem: string): Sent => ({ type: 'failed', problem, answer: undefined, isFinal: true })
    if (channel === undefined) return final('The channel was deleted or disabled.')
    try {
      const leads = openLeads(keyring, channel.sealed, workspaceId)
      return await send(leads, messageOf(notification, publicUrl), abort.signal)
    } catch (error) {
      logger.warn({ err: error }, 'a channel could not be opened')
      return final('The address was encrypted with another PLUMBLINE_SECRET_KEY; give it again.')
    }
  }

  const writeDown = async (notification: DueNotification, result: Sent): Promise<void> => {
    if (result.type === 'delivered') return queue.delivered(notification, { holder, now: now() })
    const { problem, retryAfterMs, isFinal = false, isGone = false } = result
    const pauseMs = Math.max(pauseAfter(notification.attempts, Math.random()), retryAfterMs ?? 0)
    const dueAt =
      isFinal || notification.attempts >= attemptsMax
        ? undefined
        : new Date(now().getTime() + Math.ceil(pauseMs))
    await queue.failed(notification, { holder, problem, dueAt })
    if (isGone)
      await queue.disable(notification.channelId, {
        problem: 'The receiver answered 410 Gone: it wants no more messages.',
        now: now(),
      })
  }

  const rounds = makeRounds({
    async round() {
      if (!hasBegun) await queue.takeBack(holder, now())
      hasBegun = true
      // Most looks find nothing: they are spared the transaction.
      const firstMs = await queue.nextDueMs()
      if (firstMs !== undefined && firstMs <= now().getTime())
        while (!rounds.isStopped() && underWay.size < atOnceMax && (await beginSome()));
      const nextMs = await queue.nextDueMs()
      return nextMs === undefined ? undefined : new Date(nextMs)
    },
    what: 'the messages of alerts',
    logger,
    now,
  })

  return {
    ...rounds,
    async stop() {
      const stopped = rounds.stop()
      abort.abort()
      await stopped
      await Promise.all(underWay.keys())
      await queue.takeBack(holder, now()).catch(() => undefined)
    },
  }
}
