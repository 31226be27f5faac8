/** Runs user code off the event loop, on threads that start on demand. */
import { Worker } from 'node:worker_threads'
import { type FairScheduler, makeFairScheduler, type TaskOwner } from '../fair-scheduler.ts'
import type { Verdict } from '../rules/judge.ts'
import type { Subject } from '../rules/subject.ts'
import { CodeFailed, defaultLimits, type Limits, tookTooLong } from './limits.ts'
import type { Reply, Task } from './sandbox-messages.ts'

interface Job {
  readonly task: Task
  readonly owner: TaskOwner
  readonly resolve: (verdict: Verdict | undefined) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  job: Job | undefined
  deadline: NodeJS.Timeout | undefined
}

/**
 * The engine interrupts code at its deadline, except inside its own functions; then the thread is terminated, after this
 * grace period, so that the engine's own error comes first.
 */
const graceMs = 250
/** Idle threads end after this. */
const idleTimeoutMs = 30_000

/** Runs code for one workspace. */
export interface Sandbox {
  /** The verdict of the source on the subject. Rejects with `CodeFailed` if there is none. */
  runCode(source: string, subject: Subject, limits?: Limits): Promise<Verdict>
  /** Compiles the source without judging. Rejects with `CodeFailed` if it cannot be read or exports no function. */
  checkCode(source: string): Promise<void>
}

/** The thread pool, which all workspaces share. */
export class CodeSandbox {
  readonly #threads = new Set<Thread>()
  readonly #waiting: Job[] = []
  readonly #threadsMax: number
  readonly #scheduler: FairScheduler
  #idleTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ threadsMax = 3 }: { readonly threadsMax?: number } = {}) {
    this.#threadsMax = threadsMax
    this.#scheduler = makeFairScheduler(threadsMax)
  }

  of(workspaceId: string): Sandbox {
    return {
      runCode: async (source, subject, limits = defaultLimits) => {
        const task = { source, subject: JSON.stringify(toArgument(subject)), limits }
        // Safe: a task with a subject yields a verdict.
        return (await this.#run(task, { workspaceId, source })) as Verdict
      },
      checkCode: async (source) => {
        await this.#run({ source, subject: undefined, limits: defaultLimits }, { workspaceId, source })
      },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    for (const { reject } of this.#waiting.splice(0)) reject(closedError())
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, closedError())))
  }

  #run(task: Task, owner: TaskOwner): Promise<Verdict | undefined> {
    if (this.#isClosed) return Promise.reject(closedError())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, owner, resolve, reject })
      this.#assign()
    })
  }

  #assign(): void {
    clearTimeout(this.#idleTimer)
    while (this.#waiting.length > 0) {
      if (this.#findIdleThread() === undefined && this.#threads.size >= this.#threadsMax) return
      const owners = this.#waiting.map(({ owner }) => owner)
      const running = [...this.#threads].flatMap(({ job }) => job?.owner ?? [])
      const index = this.#scheduler.next(owners, running)
      if (index === undefined) return
      const thread = this.#findIdleThread() ?? this.#startThread()
      thread.job = this.#waiting.splice(index, 1)[0]!
      thread.worker.ref()
      thread.worker.postMessage(thread.job.task)
    }
    if ([...this.#threads].every(({ job }) => job === undefined))
      this.#idleTimer = setTimeout(() => {
        for (const thread of this.#threads) void this.#end(thread, closedError())
      }, idleTimeoutMs).unref()
  }

  #findIdleThread(): Thread | undefined {
    return [...this.#threads].find(({ job }) => job === undefined)
  }

  #startThread(): Thread {
    // No environment: the code must not see ours.
    const worker = new Worker(new URL('./sandbox-thread.ts', import.meta.url), { env: {} })
    const thread: Thread = { worker, job: undefined, deadline: undefined }
    this.#threads.add(thread)
    worker.on('message', (reply: Reply) => this.#handleReply(thread, reply))
    let cause: unknown
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      const failed = new CodeFailed('broke', 'The code broke the engine that ran it.', undefined, { cause })
      void this.#end(thread, failed)
    })
    return thread
  }

  #handleReply(thread: Thread, reply: Reply): void {
    const { job } = thread
    if (job === undefined) return
    if (reply.type === 'begun') {
      const { limits } = job.task
      const endLate = (): void => void this.#end(thread, tookTooLong(limits))
      thread.deadline = setTimeout(endLate, limits.timeoutMs + graceMs).unref()
      return
    }
    clearTimeout(thread.deadline)
    thread.job = undefined
    // An idle thread must not keep the process alive.
    thread.worker.unref()
    if (reply.type === 'judged') job.resolve(reply.verdict)
    else job.reject(new CodeFailed(reply.reason, reply.message, reply.line, { cause: reply.cause }))
    this.#assign()
  }

  async #end(thread: Thread, failure: Error): Promise<void> {
    if (!this.#threads.delete(thread)) return
    clearTimeout(thread.deadline)
    thread.job?.reject(failure)
    thread.job = undefined
    const terminated = thread.worker.terminate()
    if (!this.#isClosed) this.#assign()
    await terminated
  }
}

const closedError = (): Error => new Error('The sandbox is closed.')

/** The argument of user code: the subject, with its token counts grouped. */
const toArgument = ({ inputTokens, outputTokens, ...subject }: Subject): object => ({
  ...subject,
  tokens: { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens },
})
