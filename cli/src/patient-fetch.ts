// Not from `node:timers`, since the demo also runs in browsers.
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Maximum attempts of a request while the server is busy. */
const attemptsMax = 600

/**
 * Fetch that retries after the delay that a busy server requests. Retries only after 429 and 503, which mean that
 * the server accepted nothing, so that nothing is recorded twice.
 */
export const makePatientFetch =
  (fetch: typeof globalThis.fetch): typeof fetch =>
  async (input, init) => {
    for (let attempt = 1; ; attempt++) {
      // Without the client's signal: its timeout covers one response, not the delays that the server requests.
      const response = await fetch(input, { ...init, signal: null })
      if ((response.status !== 429 && response.status !== 503) || attempt === attemptsMax) return response
      await response.body?.cancel()
      const seconds = Number(response.headers.get('retry-after'))
      await pause(1000 * (seconds > 0 ? Math.min(seconds, 60) : 1))
    }
  }

/** With the platform's fetch, looked up on each call. */
export const patientFetch = makePatientFetch((...request) => fetch(...request))
