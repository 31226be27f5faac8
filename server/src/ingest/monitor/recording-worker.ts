/** The main thread's side of the recording worker. */
import { Worker } from 'node:worker_threads'
import type { AssembledRows, AssembleTask } from '../otlp/assemble.ts'
import type { OpenTraceTask } from '../otlp/make-open-trace.ts'
import type { OpenTrace } from '../otlp/open-traces.ts'
import type { RecordRows, Reply, Request, Result, SegmentRows, Task } from './worker-messages.ts'

type Overrides = Task['overrides']

interface PendingTask {
  readonly task: Task
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

/** The worker died, and the record that it worked on is the likely reason. */
export class WorkerDied extends Error {
  override readonly name = 'WorkerDied'
  /** Position in the segment, if one was under way. */
  readonly position: number | undefined

  constructor(position: number | undefined, options: ErrorOptions) {
    super('The recording worker died.', options)
    this.position = position
  }
}

/** An idle worker stops: its vocabularies take as much memory as the rest of the service. */
const idleTimeoutMs = 30_000

/** A worker thread that builds rows. It starts when there is work, and again after it died. */
export class RecordingWorker {
  #worker: Worker | undefined
  #pending = new Map<number, PendingTask>()
  #nextId = 0
  #isClosed = false
  #idleTimer: NodeJS.Timeout | undefined
  readonly #progress = new Int32Array(new SharedArrayBuffer(4))

  /** Builds the rows of a sealed segment, as NDJSON. */
  async rowsOfSegment(
    segment: { readonly path: string; readonly bytes: number },
    overrides: Overrides,
    { skip, workspaceIds }: { readonly skip: readonly number[]; readonly workspaceIds: readonly string[] },
  ): Promise<SegmentRows> {
    const { path, bytes } = segment
    // Safe: the worker returns the result type of each task type.
    return (await this.#run({ type: 'segment', path, bytes, overrides, skip, workspaceIds })) as SegmentRows
  }

  /** Builds the rows of one record that is still in the spool. */
  async rowsOfRecord(record: Uint8Array, overrides: Overrides): Promise<RecordRows> {
    // Safe: the worker returns the result type of each task type.
    return (await this.#run({ type: 'record', record, overrides })) as RecordRows
  }

  /** Builds the rows of OpenTelemetry traces from their stored spans. */
  async assemble(task: AssembleTask, overrides: Overrides): Promise<AssembledRows> {
    // Safe: the worker returns the result type of each task type.
    return (await this.#run({ type: 'assembly', overrides, ...task })) as AssembledRows
  }

  /** Builds the rows of one OpenTelemetry trace from stored spans and from exports in the spool. */
  async openTrace(task: OpenTraceTask, overrides: Overrides): Promise<OpenTrace> {
    // Safe: the worker returns the result type of each task type.
    return (await this.#run({ type: 'open trace', overrides, ...task })) as OpenTrace
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    await this.#worker?.terminate()
  }

  #run(task: Task): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new WorkerDied(undefined, { cause: 'It is closed.' }))
    clearTimeout(this.#idleTimer)
    this.#worker ??= this.#start()
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { task, resolve, reject })
      this.#worker?.postMessage({ id, task } satisfies Request)
    })
  }

  #start(): Worker {
    this.#progress[0] = -1
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: this.#progress.buffer })
    worker.on('message', (reply: Reply) => {
      const pending = this.#pending.get(reply.id)
      this.#pending.delete(reply.id)
      if (reply.type === 'done') pending?.resolve(reply.result)
      else pending?.reject(new Error(reply.error))
      if (this.#pending.size === 0) this.#stopWhenIdle()
    })
    // A thread always emits `exit` when it ends, so `exit` rejects the pending tasks.
    let cause: unknown
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', (code) => this.#rejectPending(worker, cause ?? new Error(`It exited with ${code}.`)))
    // The server keeps the process alive, not this thread.
    worker.unref()
    return worker
  }

  #stopWhenIdle(): void {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => {
      const worker = this.#worker
      // Cleared first, so that new work starts another worker.
      this.#worker = undefined
      void worker?.terminate()
    }, idleTimeoutMs).unref()
  }

  #rejectPending(worker: Worker, cause: unknown): void {
    // A worker stopped when idle has no pending tasks.
    if (this.#worker !== worker) return
    const position = Atomics.load(this.#progress, 0)
    this.#worker = undefined
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const { task, reject } of pending) {
      reject(new WorkerDied(task.type === 'segment' && position >= 0 ? position : undefined, { cause }))
    }
  }
}
