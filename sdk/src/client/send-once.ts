/** One attempt to deliver a record, and its outcome. Never throws. */
import { type RequestFailed, ServiceUnreachable } from './errors.ts'
import { type Connection, exchange, type Request, type ServiceResponse, toRequestFailed } from './exchange.ts'
import { makeRequest } from './operations.ts'

/**
 * - `accepted`: the service stored it.
 * - `rejected`: the service will never accept it.
 * - `failed`: to be retried; `isSuspect` if this record itself may cause the failure.
 */
export type SendResult =
  | { readonly type: 'accepted'; readonly answer: object }
  | { readonly type: 'rejected'; readonly error: RequestFailed }
  | {
      readonly type: 'failed'
      readonly error: Error
      readonly isSuspect: boolean
      readonly retryAfterSeconds: number | undefined
    }

interface RecordRequest {
  readonly path: string
  readonly body: Uint8Array<ArrayBuffer>
  /** The Idempotency-Key, for records that the service does not deduplicate by itself. */
  readonly key: string | undefined
}

export async function sendOnce(
  connection: Connection,
  { path, body, key }: RecordRequest,
  { keepalive, signal }: Pick<Request, 'keepalive' | 'signal'>,
): Promise<SendResult> {
  const headers = key === undefined ? undefined : { 'idempotency-key': key }
  try {
    const response = await exchange(connection, {
      ...makeRequest(path, {}),
      body,
      headers,
      keepalive,
      signal,
    })
    if (response.status < 400) return { type: 'accepted', answer: await readAcknowledgement(response) }
    const error = await toRequestFailed(response, Date.now())
    const isFinal = error.isFromService && error.status < 500 && !transientStatuses.has(error.status)
    if (isFinal) return { type: 'rejected', error }
    const { retryAfterSeconds } = error
    return { type: 'failed', error, isSuspect: !transientStatuses.has(error.status), retryAfterSeconds }
  } catch (error) {
    return { type: 'failed', error: asError(error), isSuspect: false, retryAfterSeconds: undefined }
  }
}

/** Timeouts, limits and outages say nothing about the record. */
export const transientStatuses = new Set([408, 425, 429, 502, 503, 504])

/** Ignores a 200 from a captive portal or a broken proxy, which is not an acknowledgement. */
async function readAcknowledgement({ blob }: ServiceResponse): Promise<object> {
  const text = await blob.text()
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !('error' in body)) return body
  } catch {
    // Reported below, with the same message.
  }
  throw new ServiceUnreachable(`The response is not from the service: ${text.slice(0, 100)}`)
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
