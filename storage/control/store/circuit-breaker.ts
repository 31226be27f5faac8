import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** A call that takes longer makes the breaker ask whether the server answers anybody. */
const slowMs = 1_000
const pauseMs = 1_000

/**
 * Calls to a server that may hang: one that accepts connections and answers none. While it does, calls fail at once in
 * place of each waiting for its own time-out.
 */
export interface CircuitBreaker {
  /**
   * Fails with `HangingServer` when the server answers nobody, whether or not the work has ended; the signal then tells
   * the work to give up.
   */
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Probes no more. */
  close(): void
}

/** The server answers nobody. */
export class HangingServer extends Error {
  override readonly name = 'HangingServer'
}

/** `probe` fails when the server does not answer, after a time-out of its own. */
export function makeCircuitBreaker(probe: () => Promise<void>): CircuitBreaker {
  let isClosed = false
  let isProbing = false
  let answering = newController()

  const findFailure = (): Promise<HangingServer | undefined> =>
    probe().then(
      () => undefined,
      (cause: unknown) => new HangingServer('The server does not answer.', { cause }),
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
  // One for each call that is under way.
  setMaxListeners(0, controller.signal)
  return controller
}
