/**
 * Threads for work that would block the event loop. They start when there is work, end when there has been none for a while,
 * and restart after a crash.
 *
 * `piscina` lacks three things that this needs: a timeout that starts with the task (its signal also counts the wait for a
 * thread), a choice of the next task that depends on what runs now (its queues see only waiting tasks), and the progress of
 * a thread that died.
 */
import { Worker } from 'node:worker_threads'
import { ServiceError } from '@plumbline/contract'
import type { TaskMessage, TaskReply } from './worker-messages.ts'

export interface WorkerPoolOptions<Task> {
  readonly threadsMax?: number
  /** Infinite for threads that schedule their tasks themselves. */
  readonly tasksPerThread?: number
  /** Tasks beyond this limit, waiting and running, are rejected as `unavailable`. */
  readonly tasksMax?: number
  readonly idleTimeoutMs: number
  /** Whether the threads see the environment of the process. */
  readonly hasEnvironment?: boolean
  /** The index of the waiting task that starts next; undefined if none may start now. By default the oldest. */
  readonly next?: (waitingTasks: readonly Task[], runningTasks: readonly Task[]) => number | undefined
}

export interface TaskOptions {
  /** Starts with the task, not with the wait for a thread. A task that takes longer is rejected, and its thread is terminated. */
  readonly timeoutMs?: number
}

/** A thread ended before its task did. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded'
  /** What the thread last wrote in `progress`; -1 if nothing. */
  readonly progress: number

  constructor(progress: number, options: ErrorOptions) {
    super('The worker thread ended.', options)
    this.progress = progress
  }
}

/** A task took longer than its `timeoutMs`. */
export class TaskTimedOut extends Error {
  override readonly name = 'TaskTimedOut'
}

/** The pool is closed; its tasks are rejected. */
export class PoolClosed extends Error {
  override readonly name = 'PoolClosed'
}

interface PendingTask<Task, Result> extends TaskOptions {
  readonly id: number
  readonly task: Task
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
  deadline?: NodeJS.Timeout
}

interface Thread<Task, Result> {
  readonly worker: Worker
  readonly pendingTasks: Map<number, PendingTask<Task, Result>>
}

/** `Task` and `Result` are the argument and the result of the function that the file passes to `handleTasks`. */
export class WorkerPool<Task, Result> {
  readonly #file: URL
  readonly #options: Required<WorkerPoolOptions<Task>>
  readonly #threads = new Set<Thread<Task, Result>>()
  readonly #waiting: PendingTask<Task, Result>[] = []
  #nextId = 0
  #idleTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(file: URL, options: WorkerPoolOptions<Task>) {
    this.#file = file
    this.#options = {
      threadsMax: 1,
      tasksPerThread: 1,
      tasksMax: 10_000,
      hasEnvironment: true,
      next: (queue) => (queue.length > 0 ? 0 : undefined),
      ...options,
    }
  }

  run(task: Task, options: TaskOptions = {}): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new PoolClosed())
    if (this.#waiting.length + this.#running().length >= this.#options.tasksMax)
      return Promise.reject(new ServiceError('unavailable', { problem: 'Too many tasks wait for a thread.' }))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...options, id: this.#nextId++, task, resolve, reject })
      this.#assign()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    for (const { reject } of this.#waiting.splice(0)) reject(new PoolClosed())
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, () => new PoolClosed())))
  }

  #running(): PendingTask<Task, Result>[] {
    return [...this.#threads].flatMap(({ pendingTasks }) => [...pendingTasks.values()])
  }

  /** Starts the tasks that may start, and schedules the end of idle threads. */
  #assign(): void {
    clearTimeout(this.#idleTimer)
    while (this.#waiting.length > 0) {
      const free = [...this.#threads].find(
        ({ pendingTasks }) => pendingTasks.size < this.#options.tasksPerThread,
      )
      if (free === undefined && this.#threads.size >= this.#options.threadsMax) return
      const index = this.#options.next(
        this.#waiting.map(({ task }) => task),
        this.#running().map(({ task }) => task),
      )
      if (index === undefined) return
      const [pending] = this.#waiting.splice(index, 1)
      if (pending !== undefined) send(free ?? this.#startThread(), pending)
    }
    if (this.#threads.size > 0 && this.#running().length === 0)
      this.#idleTimer = setTimeout(() => this.#endAll(), this.#options.idleTimeoutMs).unref()
  }

  #startThread(): Thread<Task, Result> {
    const progress = new Int32Array(new SharedArrayBuffer(4)).fill(-1)
    const worker = new Worker(this.#file, {
      workerData: progress.buffer,
      ...(this.#options.hasEnvironment ? {} : { env: {} }),
    })
    const thread: Thread<Task, Result> = { worker, pendingTasks: new Map() }
    this.#threads.add(thread)
    worker.on('message', (reply: TaskReply<Result>) => this.#handleReply(thread, reply))
    // A thread always emits `exit` when it ends, so `exit` rejects its tasks.
    let cause: unknown
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', (code) => {
      const reason = cause ?? new Error(`It exited with ${code}.`)
      void this.#end(thread, () => new WorkerEnded(Atomics.load(progress, 0), { cause: reason }))
    })
    return thread
  }

  #handleReply(thread: Thread<Task, Result>, reply: TaskReply<Result>): void {
    const pending = thread.pendingTasks.get(reply.id)
    if (pending === undefined) return
    if (reply.type === 'started') {
      const endLate = (): void => void this.#end(thread, () => new TaskTimedOut())
      pending.deadline = setTimeout(endLate, pending.timeoutMs).unref()
      return
    }
    clearTimeout(pending.deadline)
    thread.pendingTasks.delete(reply.id)
    // A thread without a task must not keep the process alive.
    if (thread.pendingTasks.size === 0) thread.worker.unref()
    if (reply.type === 'done') pending.resolve(reply.result)
    else pending.reject(Object.assign(new Error(reply.message), { stack: reply.stack }))
    this.#assign()
  }

  #endAll(): void {
    for (const thread of this.#threads) void this.#end(thread, () => new PoolClosed())
  }

  /** Terminates a thread with its tasks; waiting tasks get another thread. */
  async #end(thread: Thread<Task, Result>, makeError: () => Error): Promise<void> {
    if (!this.#threads.delete(thread)) return
    for (const { deadline, reject } of thread.pendingTasks.values()) {
      clearTimeout(deadline)
      reject(makeError())
    }
    thread.pendingTasks.clear()
    const terminated = thread.worker.terminate()
    if (!this.#isClosed) this.#assign()
    await terminated
  }
}

function send<Task, Result>(
  { worker, pendingTasks }: Thread<Task, Result>,
  pendingTask: PendingTask<Task, Result>,
): void {
  const { id, task, timeoutMs } = pendingTask
  pendingTasks.set(id, pendingTask)
  worker.ref()
  worker.postMessage({ id, task, reportsStart: timeoutMs !== undefined } satisfies TaskMessage<Task>)
}
