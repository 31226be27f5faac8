/**
 * Traces that run for long are sent while they run, so that they can be watched and outlive their process: without their
 * outermost span, what had ended in them would have no name.
 */
import { quietTimer } from '../client/platform.ts'
import type { FinishedSpan, Recording } from './recording.ts'

/** A limit on memory only: whatever runs beyond it is sent when it ends. */
const runningMax = 10_000

interface Running {
  readonly root: Recording
  readonly dueMs: number
}

export class RunningTraces {
  readonly #delayMs: number
  readonly #send: (span: FinishedSpan) => void
  /** Those that were not sent yet, by trace, the longest-running first. */
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

  /** Sends a trace now that something is about to refer to. */
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
