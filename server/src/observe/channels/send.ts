/** Sends a message to the target of a channel, once, and reports the result. */
import type { Fetch } from '../../network/guarded-fetch.ts'
import type { ChannelTarget } from './channel-secrets.ts'
import { type MailServer, sendEmail } from './email.ts'
import type { Message } from './message.ts'
import { makePost } from './post-message.ts'
import type { SendResult } from './send-result.ts'
import { slackPayload } from './slack-payload.ts'

interface SendDeps {
  /** For URLs that users entered. */
  readonly fetch: Fetch
  /** Undefined if the operator has configured none. */
  readonly mail: MailServer | undefined
  readonly now: () => Date
}

export type Send = (target: ChannelTarget, message: Message, signal?: AbortSignal) => Promise<SendResult>

export function makeSend({ fetch, mail, now }: SendDeps): Send {
  const post = makePost({ fetch, now })
  return async (target, message, signal) => {
    switch (target.type) {
      case 'webhook':
        return post.webhook(target, message, signal)
      case 'slack':
        return post.json(target.url, JSON.stringify(slackPayload(message)), { signal })
      case 'email':
        if (mail === undefined)
          return {
            type: 'failed',
            problem: 'This service has no mail server: its operator must set SMTP_URL.',
            responseText: undefined,
            isFinal: true,
          }
        return Promise.race([sendEmail(mail, target.to, message), waitForAbort(signal)])
    }
  }
}

/** Sending a mail cannot be interrupted, but need not be waited for. */
const waitForAbort = (signal: AbortSignal | undefined): Promise<SendResult> =>
  new Promise((resolve) => {
    const stop = (): void =>
      resolve({ type: 'failed', problem: 'The service was stopped.', responseText: undefined })
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
