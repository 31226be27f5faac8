/** Code of people, run away from the event loop on threads that are begun when there is something to run. */
import { Worker } from 'node:worker_threads'
import type { Judgement } from '../rules/judge.ts'
import type { Subject } from '../rules/subject.ts'
import { makeTurns, type Turn, type Turns } from '../turns.ts'
import { CodeFailed, defaultLimits, type Limits, tookTooLong } from './limits.ts'
import type { Reply, Task } from './sandbox-messages.ts'

interface Job {
  readonly task: Task
  readonly turn: Turn
  readonly resolve: (judgement: Judgement | undefined) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  job: Job | undefined
  deadline: NodeJS.Timeout | undefined
}

/**
 * The engine stops code by itself, but for what runs long within one of its own functions; then the thread is ended.
 * So much later, so that the engine's own answer comes first.
 */
const graceMs = 250
/** At rest the threads are let go. */
const restMs = 30_000

/** Where code of one workspace runs. */
export interface Sandbox {
  /** What `evaluate` of the source says of the subject. Rejects with `CodeFailed` where it says nothing. */
  runCode(source: string, subject: Subject, limits?: Limits): Promise<Judgement>
  /** Reads the source without judging. Rejects with `CodeFailed` for what cannot be read or has no `evaluate`. */
  checkCode(source: string): Promise<void>
}

/** The threads, which workspaces share. */
export class CodeSandbox {
  readonly #threads = new Set<Thread>()
  readonly #waiting: Job[] = []
  readonly #threadsMax: number
  readonly #turns: Turns
  #rest: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ threadsMax = 3 }: { readonly threadsMax?: number } = {}) {
    this.#threadsMax = threadsMax
    this.#turns = makeTurns(threadsMax)
  }

  of(workspaceId: string): Sandbox {
    return {
      runCode: async (source, subject, limits = defaultLimits) => {
        const task = { source, subject: JSON.stringify(argumentOf(subject)), limits }
        // Safe: where there is a subject, there is a judgement.
        return (await this.#run(task, { workspaceId, source })) as Judgement
      },
      checkCode: async (source) => {
        await this.#run({ source, subject: undefined, limits: defaultLimits }, { workspaceId, source })
      },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#rest)
    for (const { reject } of this.#waiting.splice(0)) reject(closed())
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, closed())))
  }

  #run(task: Task, turn: Turn): Promise<Judgement | undefined> {
    if (this.#isClosed) return Promise.reject(closed())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, turn, resolve, reject })
      this.#assign()
    })
  }

  #assign(): void {
    clearTimeout(this.#rest)
    while (this.#waiting.length > 0) {
      if (this.#idle() === undefined && this.#threads.size >= this.#threadsMax) return
      const turns = this.#waiting.map(({ turn }) => turn)
      const running = [...this.#threads].flatMap(({ job }) => job?.turn ?? [])
      const at = this.#turns.next(turns, running)
      if (at === undefined) return
      const thread = this.#idle() ?? this.#begin()
      thread.job = this.#waiting.splice(at, 1)[0]!
      thread.worker.ref()
      thread.worker.postMessage(thread.job.task)
    }
    if ([...this.#threads].every(({ job }) => job === undefined))
      this.#rest = setTimeout(() => {
        for (const thread of this.#threads) void this.#end(thread, closed())
      }, restMs).unref()
  }

  #idle(): Thread | undefined {
    return [...this.#threads].find(({ job }) => job === undefined)
  }

  #begin(): Thread {
    // No environment: there is nothing in it that running code could need.
    const worker = new Worker(new URL('./sandbox-thread.ts', import.meta.url), { env: {} })
    const thread: Thread = { worker, job: undefined, deadline: undefined }
    this.#threads.add(thread)
    worker.on('message', (reply: Reply) => this.#hear(thread, reply))
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

  #hear(thread: Thread, reply: Reply): void {
    const { job } = thread
    if (job === undefined) return
    if (reply.type === 'begun') {
      const { limits } = job.task
      const give = (): void => void this.#end(thread, tookTooLong(limits))
      thread.deadline = setTimeout(give, limits.timeoutMs + graceMs).unref()
      return
    }
    clearTimeout(thread.deadline)
    thread.job = undefined
    // A thread without work keeps no process alive.
    thread.worker.unref()
    if (reply.type === 'judged') job.resolve(reply.judgement)
    else job.reject(new CodeFailed(reply.reason, reply.message, reply.line, { cause: reply.cause }))
    this.#assign()
  }

  async #end(thread: Thread, failure: Error): Promise<void> {
    if (!this.#threads.delete(thread)) return
    clearTimeout(thread.deadline)
    thread.job?.reject(failure)
    thread.job = undefined
    const ended = thread.worker.terminate()
    if (!this.#isClosed) this.#assign()
    await ended
  }
}

const closed = (): Error => new Error('The sandbox is closed.')

/** What code is given: the subject, with its tokens in one place. */
const argumentOf = ({ inputTokens, outputTokens, ...subject }: Subject): object => ({
  ...subject,
  tokens: { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens },
})
