/** One request and its whole answer, in bounded time. */
import { RequestFailed, ServiceUnreachable } from './errors.ts'

export type Fetch = typeof globalThis.fetch

/** Where the service is, and how it is spoken to. */
export interface Connection {
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** Without one, the platform's own credentials speak: in a page, the cookie of a session. */
  readonly apiKey: string | undefined
  readonly fetch: Fetch
  readonly timeoutMs: number
}

export interface Request {
  readonly method: string
  /** Path and query. */
  readonly address: string
  /** JSON, as text or as UTF-8, unless there is a `contentType`. */
  readonly body?: string | Uint8Array<ArrayBuffer> | Blob | undefined
  readonly contentType?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  /** Lets the request outlive the page that sent it. */
  readonly keepalive?: boolean | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly blob: Blob
}

/** Sends a request and reads all of the answer, whatever its status. Rejects with `ServiceUnreachable`, or the caller's abort. */
export async function exchange(connection: Connection, request: Request): Promise<Answer> {
  const timeout = AbortSignal.timeout(request.timeoutMs ?? connection.timeoutMs)
  const { fetch } = connection
  try {
    const response = await fetch(connection.baseUrl + request.address, {
      method: request.method,
      headers: {
        ...(connection.apiKey === undefined ? {} : { authorization: `Bearer ${connection.apiKey}` }),
        ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
        ...request.headers,
      },
      signal: request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]),
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.keepalive === true ? { keepalive: true } : {}),
    })
    return { status: response.status, headers: response.headers, blob: await response.blob() }
  } catch (cause) {
    request.signal?.throwIfAborted()
    const why = timeout.aborted ? 'did not answer in time' : 'cannot be reached'
    throw new ServiceUnreachable(`${connection.baseUrl} ${why}.`, { cause })
  }
}

/** The failure that an answer with a status of 400 or more tells of. */
export async function failureOf({ status, headers, blob }: Answer, nowMs: number): Promise<RequestFailed> {
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'), nowMs)
  const requestId = headers.get('x-request-id') ?? undefined
  return new RequestFailed(status, sentenceOf(await blob.text()), { retryAfterSeconds, requestId })
}

/** The sentence of the service's error body; a proxy in between may have answered something else. */
function sentenceOf(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown }
    return typeof error === 'string' ? error : undefined
  } catch {
    return undefined
  }
}

/** RFC 9110 has it in seconds or as a date. */
function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  const delay = Number.isFinite(seconds) ? seconds : (Date.parse(header) - nowMs) / 1000
  return Number.isFinite(delay) ? Math.max(0, delay) : undefined
}
