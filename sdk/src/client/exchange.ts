/** Sends one request and reads the full response, within a timeout. */
import { RequestFailed, ServiceUnreachable } from './errors.ts'
import { quietTimer } from './platform.ts'

export type Fetch = typeof globalThis.fetch

/** The URL of the service, and how to call it. */
export interface Connection {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Without a key, the platform's own credentials apply: in a page, the session cookie. */
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

export interface ServiceResponse {
  readonly status: number
  readonly headers: Headers
  readonly blob: Blob
}

/** A longer timer would fire at once. */
const timerMsMax = 2 ** 31 - 1

/** Sends a request and reads the full response, whatever its status. Rejects with `ServiceUnreachable`, or the caller's abort. */
export async function exchange(connection: Connection, request: Request): Promise<ServiceResponse> {
  // Not `AbortSignal.any`: edge runtimes and older browsers do not have it.
  const call = new AbortController()
  const abort = (): void => call.abort()
  let isLate = false
  const timeoutMs = Math.min(request.timeoutMs ?? connection.timeoutMs, timerMsMax)
  const stopTimer = quietTimer(() => {
    isLate = true
    abort()
  }, timeoutMs)
  request.signal?.addEventListener('abort', abort)
  if (request.signal?.aborted === true) abort()
  const { fetch } = connection
  try {
    const response = await fetch(connection.baseUrl + request.address, {
      method: request.method,
      headers: {
        ...(connection.apiKey === undefined ? {} : { authorization: `Bearer ${connection.apiKey}` }),
        ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
        ...request.headers,
      },
      signal: call.signal,
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.keepalive === true ? { keepalive: true } : {}),
    })
    return { status: response.status, headers: response.headers, blob: await response.blob() }
  } catch (cause) {
    request.signal?.throwIfAborted()
    const reason = isLate ? 'did not respond in time' : 'cannot be reached'
    throw new ServiceUnreachable(`${connection.baseUrl} ${reason}.`, { cause })
  } finally {
    stopTimer()
    request.signal?.removeEventListener('abort', abort)
  }
}

/** Converts a response with a status of 400 or more to an error. */
export async function toRequestFailed(
  { status, headers, blob }: ServiceResponse,
  nowMs: number,
): Promise<RequestFailed> {
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'), nowMs)
  const requestId = headers.get('x-request-id') ?? undefined
  return new RequestFailed(status, readErrorMessage(await blob.text()), { retryAfterSeconds, requestId })
}

/** Reads the message of an error body; undefined if a proxy sent something else. */
function readErrorMessage(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown }
    return typeof error === 'string' ? error : undefined
  } catch {
    return undefined
  }
}

/** RFC 9110 allows seconds or a date. */
function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  const delay = Number.isFinite(seconds) ? seconds : (Date.parse(header) - nowMs) / 1000
  return Number.isFinite(delay) ? Math.max(0, delay) : undefined
}
