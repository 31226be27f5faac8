import { setImmediate as serveRequests } from 'node:timers/promises'

/** How long one piece of work may run before requests are served. */
const sliceMs = 5

/** Limits the time of long-running work: `if (slice.isOver) await slice.next()` in its loop lets requests be served. */
export class TimeSlice {
  #endsAt = performance.now() + sliceMs

  get isOver(): boolean {
    return performance.now() >= this.#endsAt
  }

  /** Serves waiting requests, and starts another slice. */
  async next(): Promise<void> {
    await serveRequests()
    this.#endsAt = performance.now() + sliceMs
  }
}
