/** The main thread's side of the masking worker: it starts when there is work, and again after it died. */
import { Worker } from 'node:worker_threads'
import type { Reply, Request, Task, TaskResult } from './masking-messages.ts'

interface PendingTask {
  readonly resolve: (result: TaskResult) => void
  readonly reject: (error: Error) => void
}

const idleTimeoutMs = 60_000

/** The worker died or the service stops: nothing was masked, so nothing may be stored. */
export class MaskingFailed extends Error {
  override readonly name = 'MaskingFailed'
}

export class MaskingThread {
  #worker: Worker | undefined
  readonly #pending = new Map<number, PendingTask>()
  #nextId = 0
  #isClosed = false
  #idleTimer: NodeJS.Timeout | undefined

  run(task: Task): Promise<TaskResult> {
    if (this.#isClosed) return Promise.reject(new MaskingFailed('The service is stopping.'))
    clearTimeout(this.#idleTimer)
    this.#worker ??= this.#start()
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#worker?.postMessage({ id, task } satisfies Request)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./masking-worker.ts', import.meta.url))
    worker.on('message', (reply: Reply) => {
      const pending = this.#pending.get(reply.id)
      this.#pending.delete(reply.id)
      if (reply.type === 'done') pending?.resolve(reply.result)
      else pending?.reject(new MaskingFailed(reply.error))
      if (this.#pending.size === 0) this.#stopWhenIdle()
    })
    let cause: unknown
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      // One that was stopped when idle has no pending tasks, and another may have started since.
      if (this.#worker !== worker) return
      this.#worker = undefined
      const failure = new MaskingFailed('The masking worker died.', { cause })
      for (const { reject } of this.#pending.values()) reject(failure)
      this.#pending.clear()
    })
    // The server keeps the process alive, not this thread.
    worker.unref()
    return worker
  }

  #stopWhenIdle(): void {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => {
      const worker = this.#worker
      this.#worker = undefined
      void worker?.terminate()
    }, idleTimeoutMs).unref()
  }
}
