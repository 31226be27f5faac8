import { setImmediate as serveRequests } from 'node:timers/promises'

/** Time that one piece of work may take before requests are served. */
const sliceMs = 5

/** The time of work that may be long: `if (slice.isOver) await slice.next()` in its loop lets requests be served. */
export class TimeSlice {
  #endsAt = performance.now() + sliceMs

  get isOver(): boolean {
    return performance.now() >= this.#endsAt
  }

  /** Serves the requests that wait, and begins another slice. */
  async next(): Promise<void> {
    await serveRequests()
    this.#endsAt = performance.now() + sliceMs
  }
}
