/** Sends a message where a channel leads, once, and tells what became of it. */
import type { Fetch } from '../../outbound/connections/guarded-fetch.ts'
import { problemOf } from '../../outbound/connections/problem.ts'
import type { ChannelTarget } from './channel-secrets.ts'
import { type MailServer, sendEmail } from './email.ts'
import type { Message } from './message.ts'
import { readResponse, type SendResult } from './send-result.ts'
import { signedHeaders } from './signature.ts'
import { slackPayload } from './slack-payload.ts'

interface SendDeps {
  /** Asks an address that people typed. */
  readonly fetch: Fetch
  /** Undefined where the operator has given none. */
  readonly mail: MailServer | undefined
  readonly now: () => Date
}

export type Send = (target: ChannelTarget, message: Message, signal?: AbortSignal) => Promise<SendResult>

const timeoutMs = 15_000

export function makeSend({ fetch, mail, now }: SendDeps): Send {
  const post = async (
    url: string,
    body: string,
    headers: Record<string, string>,
    stopped: AbortSignal | undefined,
  ): Promise<SendResult> => {
    const late = AbortSignal.timeout(timeoutMs)
    const signal = stopped === undefined ? late : AbortSignal.any([late, stopped])
    try {
      const allHeaders = { 'content-type': 'application/json', 'user-agent': 'Plumbline', ...headers }
      return await readResponse(
        await fetch(url, { method: 'POST', body, headers: allHeaders, signal }),
        now(),
      )
    } catch (error) {
      return { type: 'failed', problem: problemOfFetch(error), responseText: undefined }
    }
  }
  return async (target, message, signal) => {
    switch (target.type) {
      case 'webhook': {
        const { id, type, time, data } = message
        const body = JSON.stringify({ type, timestamp: time.toISOString(), data })
        const { secret, former } = target
        const isFormerGood = former !== undefined && former.untilMs > now().getTime()
        const secrets = isFormerGood ? [secret, former.secret] : [secret]
        return post(target.url, body, signedHeaders(body, { id, time: now(), secrets }), signal)
      }
      case 'slack':
        return post(target.url, JSON.stringify(slackPayload(message)), {}, signal)
      case 'email':
        if (mail === undefined)
          return {
            type: 'failed',
            problem: 'This service has no mail server: its operator sets SMTP_URL.',
            responseText: undefined,
            isFinal: true,
          }
        return Promise.race([sendEmail(mail, target.to, message), stoppedBy(signal)])
    }
  }
}

/** A mail that is being sent cannot be cut short, but need not be waited for. */
const stoppedBy = (signal: AbortSignal | undefined): Promise<SendResult> =>
  new Promise((resolve) => {
    const stop = (): void =>
      resolve({ type: 'failed', problem: 'The service was stopped.', responseText: undefined })
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
  })

function problemOfFetch(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (name === 'TimeoutError') return `The receiver did not answer within ${timeoutMs / 1000} seconds.`
  if (/redirect/.test(`${message} ${String((error as Error).cause)}`))
    return 'The receiver redirects elsewhere, which is not followed: give its own address.'
  return problemOf(error)
}
