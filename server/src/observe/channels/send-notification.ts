/** Sends a notification of an alert, only a few at a time per channel, so that a slow channel holds up no other. */
import {
  type DueNotification,
  type Notifications,
  notificationAttemptsMax,
  notificationJobKind,
} from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { JobFailure } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { openTarget } from './channel-secrets.ts'
import { makeMessage } from './message.ts'
import { retryDelayMs } from './retry-policy.ts'
import type { Send } from './send.ts'
import type { SendResult } from './send-result.ts'

interface NotificationDeps {
  readonly notifications: Notifications
  readonly keyring: Keyring
  readonly send: Send
  readonly publicUrl: string | undefined
  readonly logger: Logger
}

export const goneProblem = 'The receiver responded with 410 Gone: it no longer accepts messages.'
export const lockedProblem =
  'The address was encrypted with a different PLUMBLINE_SECRET_KEY; enter it again.'

export function handleNotifications(jobs: Jobs, deps: NotificationDeps): void {
  const { notifications } = deps
  jobs.handle<{ notificationId: string }>(
    notificationJobKind,
    async ({ notificationId }, { attempts, isLastAttempt, now, signal }) => {
      const notification = await notifications.findUndelivered(notificationId)
      if (notification === undefined) return
      const result = await trySend(notification, deps, signal)
      if (result.type === 'delivered') return notifications.delivered(notificationId, { attempts, now })
      // If a stop interrupted the request, its failure is not the receiver's response.
      signal.throwIfAborted()
      const { problem, retryAfterMs = 0, isFinal = false, isGone = false } = result
      if (isFinal || isLastAttempt) await notifications.failed(notificationId, { attempts, problem })
      if (isGone) await notifications.disableChannel(notification, { problem: goneProblem, now })
      throw new JobFailure(problem, { isFinal, retryAfterMs })
    },
    { attemptsMax: notificationAttemptsMax, concurrency: 16, concurrencyPerGroup: 4, retryDelayMs },
  )
}

async function trySend(
  notification: DueNotification,
  { keyring, send, publicUrl, logger }: NotificationDeps,
  signal: AbortSignal,
): Promise<SendResult> {
  const { channel, workspaceId } = notification
  if (channel === undefined) return finalFailure('The channel was deleted or disabled.')
  try {
    const target = openTarget(keyring, channel.sealed, workspaceId)
    return await send(target, makeMessage(notification, publicUrl), signal)
  } catch (error) {
    logger.warn({ err: error }, 'a channel could not be opened')
    return finalFailure(lockedProblem)
  }
}

const finalFailure = (problem: string): SendResult => ({
  type: 'failed',
  problem,
  responseText: undefined,
  isFinal: true,
})
