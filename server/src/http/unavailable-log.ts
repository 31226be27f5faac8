/** Logs requests that failed because a store was unavailable: thousands per second may fail for the same reason. */
import type { ServiceError } from '@plumbline/contract'
import type { Logger } from 'pino'

interface Refusal {
  readonly requestId: string
  readonly operation: string | undefined
  readonly error: ServiceError
}

const intervalMs = 1_000

/** Logs one refusal per second and reason, with the number of refusals left out since the previous one. */
export function makeUnavailableLog(
  logger: Pick<Logger, 'warn' | 'error'>,
  now: () => number = () => performance.now(),
): (refusal: Refusal) => void {
  const lastByReason = new Map<string, { atMs: number; leftOut: number }>()
  return ({ requestId, operation, error }) => {
    const last = lastByReason.get(error.message)
    const atMs = now()
    if (last !== undefined && atMs - last.atMs < intervalMs) {
      last.leftOut += 1
      return
    }
    const leftOut = last?.leftOut ?? 0
    lastByReason.set(error.message, { atMs, leftOut: 0 })
    logger[error.code === 'store_damaged' ? 'error' : 'warn'](
      { requestId, operation, err: error.cause, ...(leftOut > 0 && { leftOut }) },
      error.message,
    )
  }
}
