/**
 * Sends long-running traces while they run, so that they can be watched and survive a crash of their process: without the
 * outermost span, the steps that had ended would belong to an unnamed trace.
 */
import { quietTimer } from '../client/platform.ts'
import type { FinishedSpan, Recording } from './recording.ts'

/** Limits only memory use: further traces are sent when they end. */
const runningMax = 10_000

interface Running {
  readonly root: Recording
  readonly dueMs: number
}

export class RunningTraces {
  readonly #delayMs: number
  readonly #send: (span: FinishedSpan) => void
  /** Traces that have not been sent yet, by id, the longest-running first. */
  readonly #waiting = new Map<string, Running>()
  #stopTimer: (() => void) | undefined

  constructor(delayMs: number, send: (span: FinishedSpan) => void) {
    this.#delayMs = delayMs
    this.#send = send
  }

  started(root: Recording): void {
    if (this.#waiting.size >= runningMax) return
    this.#waiting.set(root.traceId, { root, dueMs: performance.now() + this.#delayMs })
    this.#schedule(this.#delayMs)
  }

  ended(traceId: string): void {
    this.#waiting.delete(traceId)
  }

  /** Sends a trace at once, because something is about to refer to it. */
  sendNow(traceId: string): void {
    const running = this.#waiting.get(traceId)
    if (running === undefined) return
    this.#waiting.delete(traceId)
    if (!running.root.isEnded) this.#send(running.root.toSpan())
  }

  close(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    this.#waiting.clear()
  }

  #schedule(delayMs: number): void {
    this.#stopTimer ??= quietTimer(() => this.#sendDue(), delayMs)
  }

  #sendDue(): void {
    this.#stopTimer = undefined
    const now = performance.now()
    for (const [traceId, { dueMs }] of this.#waiting) {
      if (dueMs > now) {
        this.#schedule(dueMs - now)
        return
      }
      this.sendNow(traceId)
    }
  }
}
