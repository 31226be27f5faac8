import { setTimeout as sleep } from 'node:timers/promises'

/** How often a request that the server cannot take now is sent again. */
const triesMax = 600

/**
 * Fetch that waits as long as a busy server asks for, and sends again. Only answers that say that nothing was taken
 * (429, 503) are sent again, so that nothing is recorded twice.
 */
export const patientFetch: typeof fetch = async (input, init) => {
  for (let tries = 1; ; tries++) {
    // Without the client's signal: its time limit is for one answer, not for waits that the server asks for.
    const answer = await fetch(input, { ...init, signal: null })
    if ((answer.status !== 429 && answer.status !== 503) || tries === triesMax) return answer
    await answer.body?.cancel()
    const seconds = Number(answer.headers.get('retry-after'))
    await sleep(1000 * (seconds > 0 ? Math.min(seconds, 60) : 1))
  }
}
