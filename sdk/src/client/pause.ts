/** A circuit breaker: exponential backoff with jitter, extended by a Retry-After of the service. */

export interface PauseOptions {
  /** The first pause, in milliseconds; doubles with each failure. */
  readonly pauseMsMin: number
  /** The longest pause, in milliseconds, unless the service requests a longer one. */
  readonly pauseMsMax: number
}

/** The longest Retry-After that is honoured. */
const retryAfterMsMax = 3_600_000

export interface Pause {
  /** Counts consecutive failures. An attempt remembers it, so that concurrent failures count once. */
  readonly outage: number
  /** Whether the last attempt failed, so that a single record probes the service. */
  readonly isHalfOpen: boolean
  remainingMs(): number
  /** Records the failure of an attempt that started in `outage`. Returns `outage` for the first failure after a success. */
  recordFailure(outage: number, retryAfterSeconds: number | undefined): 'outage' | 'ongoing'
  /** Records a response. */
  recordSuccess(): void
  /** Ends our own backoff; a Retry-After of the service still applies. */
  skipBackoff(): void
}

export function makePause({ pauseMsMin, pauseMsMax }: PauseOptions): Pause {
  let failures = 0
  let outage = 0
  let backoffUntil = 0
  let retryAfterUntil = 0
  return {
    get outage() {
      return outage
    },
    get isHalfOpen() {
      return failures > 0
    },
    remainingMs: () => Math.max(0, Math.max(backoffUntil, retryAfterUntil) - performance.now()),
    recordFailure(startOutage, retryAfterSeconds = 0) {
      const now = performance.now()
      retryAfterUntil = Math.max(retryAfterUntil, now + Math.min(retryAfterSeconds * 1000, retryAfterMsMax))
      if (startOutage !== outage) return 'ongoing'
      outage++
      failures++
      const pauseMs = Math.min(pauseMsMax, pauseMsMin * 2 ** (failures - 1))
      // Jitter, so that clients do not all return at the same time.
      backoffUntil = now + pauseMs * (0.5 + Math.random() / 2)
      return failures === 1 ? 'outage' : 'ongoing'
    },
    recordSuccess() {
      failures = 0
      backoffUntil = 0
      retryAfterUntil = 0
    },
    skipBackoff() {
      backoffUntil = 0
    },
  }
}
