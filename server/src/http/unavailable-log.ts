/** The log of requests that a store could not serve: thousands a second may be refused for one reason. */
import type { ServiceError } from '@plumbline/contract'
import type { Logger } from 'pino'

interface Refusal {
  readonly requestId: string
  readonly operation: string | undefined
  readonly error: ServiceError
}

const intervalMs = 1_000

/** Tells of one refusal a second for each reason, with how many of that reason it has left out since the one before. */
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
