/** When to try again: exponential backoff with jitter, which a Retry-After of the service can lengthen. */

export interface PauseOptions {
  /** The first pause, in milliseconds; each further one is twice as long. */
  readonly pauseMsMin: number
  /** The longest pause, in milliseconds, unless the service asks for more. */
  readonly pauseMsMax: number
}

/** The service may ask for no longer pause than this. */
const retryAfterMsMax = 3_600_000

export interface Pause {
  /** Counts failures in a row. A try remembers it, so that tries that failed together count once. */
  readonly outage: number
  /** Whether the last try failed, so that one record is to go ahead alone. */
  readonly isTrying: boolean
  remainingMs(): number
  /** A try that began in `outage` has failed. Answers `outage` when this is the first failure after a success. */
  begin(outage: number, retryAfterSeconds: number | undefined): 'outage' | 'goes on'
  /** A try was answered. */
  end(): void
  /** Tries at once, if only our own backoff stands against it. */
  cutShort(): void
}

export function makePause({ pauseMsMin, pauseMsMax }: PauseOptions): Pause {
  let failures = 0
  let outage = 0
  let backoffUntil = 0
  let askedUntil = 0
  return {
    get outage() {
      return outage
    },
    get isTrying() {
      return failures > 0
    },
    remainingMs: () => Math.max(0, Math.max(backoffUntil, askedUntil) - Date.now()),
    begin(since, retryAfterSeconds = 0) {
      const now = Date.now()
      askedUntil = Math.max(askedUntil, now + Math.min(retryAfterSeconds * 1000, retryAfterMsMax))
      if (since !== outage) return 'goes on'
      outage++
      failures++
      const pauseMs = Math.min(pauseMsMax, pauseMsMin * 2 ** (failures - 1))
      // Many clients that lost one service together must not come back together.
      backoffUntil = now + pauseMs * (0.5 + Math.random() / 2)
      return failures === 1 ? 'outage' : 'goes on'
    },
    end() {
      failures = 0
      backoffUntil = 0
      askedUntil = 0
    },
    cutShort() {
      backoffUntil = 0
    },
  }
}
