/** Posts a message over HTTP, once, and reports the result. */
import type { Fetch } from '../../network/guarded-fetch.ts'
import { problemOf } from '../../outbound/connections/problem.ts'
import type { ChannelTarget } from './channel-secrets.ts'
import { readResponse, type SendResult } from './send-result.ts'
import { signedHeaders } from './signature.ts'

interface PostDeps {
  /** Reaches only hosts that the network policy of channels allows. */
  readonly fetch: Fetch
  readonly now: () => Date
}

/** What a webhook receives, by the Standard Webhooks specification. */
export interface WebhookMessage {
  /** The same in every attempt. */
  readonly id: string
  readonly type: string
  /** When the event happened. */
  readonly time: Date
  readonly data: Readonly<Record<string, unknown>>
}

export interface Post {
  json(url: string, body: string, options?: PostOptions): Promise<SendResult>
  /** Signs with the secret, and with the former one while that is valid. */
  webhook(
    target: ChannelTarget & { type: 'webhook' },
    message: WebhookMessage,
    signal?: AbortSignal,
  ): Promise<SendResult>
}

interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

const timeoutMs = 15_000

export function makePost({ fetch, now }: PostDeps): Post {
  const json: Post['json'] = async (url, body, { headers, signal: stopSignal } = {}) => {
    const late = AbortSignal.timeout(timeoutMs)
    const signal = stopSignal === undefined ? late : AbortSignal.any([late, stopSignal])
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
  return {
    json,
    webhook({ url, secret, former }, { id, type, time, data }, signal) {
      const body = JSON.stringify({ type, timestamp: time.toISOString(), data })
      const isFormerValid = former !== undefined && former.untilMs > now().getTime()
      const secrets = isFormerValid ? [secret, former.secret] : [secret]
      return json(url, body, { headers: signedHeaders(body, { id, time: now(), secrets }), signal })
    },
  }
}

function problemOfFetch(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (name === 'TimeoutError') return `The receiver did not respond within ${timeoutMs / 1000} seconds.`
  if (/redirect/.test(`${message} ${String((error as Error).cause)}`))
    return 'The receiver redirects, and redirects are not followed: enter its final address.'
  return problemOf(error)
}
