import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** After this time, a slow call makes the breaker probe whether the server responds at all. */
const slowMs = 1_000
const pauseMs = 1_000

/**
 * Protects calls to a server that may hang, that is, accept connections without responding. While it hangs, calls fail
 * at once instead of each waiting for its own timeout.
 */
export interface CircuitBreaker {
  /**
   * Fails with `HangingServer` if the server does not respond, whether or not the work has ended; the signal then tells
   * the work to stop.
   */
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Stops probing. */
  close(): void
}

/** The server does not respond to any connection. */
export class HangingServer extends Error {
  override readonly name = 'HangingServer'
}

/** `probe` fails if the server does not respond within the probe's own timeout. */
export function makeCircuitBreaker(probe: () => Promise<void>): CircuitBreaker {
  let isClosed = false
  let isProbing = false
  let answering = newController()

  const findFailure = (): Promise<HangingServer | undefined> =>
    probe().then(
      () => undefined,
      (cause: unknown) => new HangingServer('The server does not respond.', { cause }),
    )
  const check = async (): Promise<void> => {
    if (isProbing) return
    isProbing = true
    const failure = await findFailure()
    if (failure !== undefined && !isClosed) {
      answering.abort(failure)
      do await pause(pauseMs, undefined, { ref: false })
      while (!isClosed && (await findFailure()) !== undefined)
      answering = newController()
    }
    isProbing = false
  }

  return {
    run: (work) => {
      const { signal } = answering
      if (signal.aborted) return Promise.reject(signal.reason as HangingServer)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => void check(), slowMs)
        const giveUp = (): void => reject(signal.reason as HangingServer)
        signal.addEventListener('abort', giveUp)
        const end = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', giveUp)
        }
        work(signal).finally(end).then(resolve, reject)
      })
    },
    close: () => {
      isClosed = true
    },
  }
}

function newController(): AbortController {
  const controller = new AbortController()
  // One listener for each running call.
  setMaxListeners(0, controller.signal)
  return controller
}
