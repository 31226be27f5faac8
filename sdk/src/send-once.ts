/** One try to deliver a record, and what its outcome means for the record. Never throws. */
import type { Waiting } from './delivery.ts'
import { type RequestFailed, ServiceUnreachable } from './errors.ts'
import { type Answer, type Connection, exchange, failureOf } from './exchange.ts'
import { requestOf } from './operations.ts'

/**
 * - `taken`: the service has it.
 * - `refused`: it will never be taken.
 * - `failed`: to be tried again; `isSuspect` when it may be this very record that the service fails at.
 */
export type Sent =
  | { readonly type: 'taken'; readonly answer: unknown }
  | { readonly type: 'refused'; readonly error: RequestFailed }
  | {
      readonly type: 'failed'
      readonly error: Error
      readonly isSuspect: boolean
      readonly retryAfterSeconds: number | undefined
    }

export async function sendOnce(
  connection: Connection,
  { path, body, key }: Waiting,
  keepalive: boolean,
): Promise<Sent> {
  const headers = { 'idempotency-key': key }
  try {
    const answer = await exchange(connection, { ...requestOf(path, {}), body, headers, keepalive })
    if (answer.status < 400) return { type: 'taken', answer: await readTaken(answer) }
    const error = await failureOf(answer, Date.now())
    const isFinal = error.isFromService && error.status < 500 && !passing.has(error.status)
    if (isFinal) return { type: 'refused', error }
    const { retryAfterSeconds } = error
    return { type: 'failed', error, isSuspect: !passing.has(error.status), retryAfterSeconds }
  } catch (error) {
    return { type: 'failed', error: asError(error), isSuspect: false, retryAfterSeconds: undefined }
  }
}

/** Time-outs, limits and outages say nothing about the record. */
const passing = new Set([408, 425, 429, 502, 503, 504])

/** What a captive portal or a broken proxy answers with 200 is no acknowledgement. */
async function readTaken({ blob }: Answer): Promise<unknown> {
  const text = await blob.text()
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer === 'object' && answer !== null && !('error' in answer)) return answer
  } catch {
    // Told below, with the same sentence.
  }
  throw new ServiceUnreachable(`What answered is not the service: ${text.slice(0, 100)}`)
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
