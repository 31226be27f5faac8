/** The main thread's side of the recording worker. */
import { Worker } from 'node:worker_threads'
import type { AssembledRows, AssembleTask } from '../otlp/assemble.ts'
import type { RecordRows, Reply, Request, Result, SegmentRows, Task } from './worker-messages.ts'

type Overrides = Task['overrides']

interface Waiting {
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

/** At rest the thread is let go: its vocabularies take as much memory as the rest of the service's own. */
const restMs = 30_000

/** A worker thread that makes rows. It is begun when there is work, also after it died. */
export class RecordingWorker {
  #worker: Worker | undefined
  #waiting = new Map<number, Waiting>()
  #nextId = 0
  #isClosed = false
  #rest: NodeJS.Timeout | undefined
  readonly #progress = new Int32Array(new SharedArrayBuffer(4))

  /** The rows of a sealed segment, as NDJSON. */
  async rowsOfSegment(
    segment: { readonly path: string; readonly bytes: number },
    overrides: Overrides,
    { skip, workspaceIds }: { readonly skip: readonly number[]; readonly workspaceIds: readonly string[] },
  ): Promise<SegmentRows> {
    const { path, bytes } = segment
    // Safe: the worker answers each type of task with its type of result.
    return (await this.#ask({ type: 'segment', path, bytes, overrides, skip, workspaceIds })) as SegmentRows
  }

  /** The rows of one record that is still in the spool. */
  async rowsOfRecord(record: Uint8Array, overrides: Overrides): Promise<RecordRows> {
    // Safe: the worker answers each type of task with its type of result.
    return (await this.#ask({ type: 'record', record, overrides })) as RecordRows
  }

  /** The rows of OpenTelemetry traces, made of what is stored of their spans. */
  async assemble(task: AssembleTask, overrides: Overrides): Promise<AssembledRows> {
    // Safe: the worker answers each type of task with its type of result.
    return (await this.#ask({ type: 'assembly', overrides, ...task })) as AssembledRows
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#rest)
    await this.#worker?.terminate()
  }

  #ask(task: Task): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new WorkerDied(undefined, { cause: 'It is closed.' }))
    clearTimeout(this.#rest)
    this.#worker ??= this.#begin()
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { task, resolve, reject })
      this.#worker?.postMessage({ id, task } satisfies Request)
    })
  }

  #begin(): Worker {
    this.#progress[0] = -1
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: this.#progress.buffer })
    worker.on('message', (reply: Reply) => {
      const waiting = this.#waiting.get(reply.id)
      this.#waiting.delete(reply.id)
      if (reply.type === 'done') waiting?.resolve(reply.result)
      else waiting?.reject(new Error(reply.error))
      if (this.#waiting.size === 0) this.#restSoon()
    })
    // A thread that ends emits `exit` in any case, so what it leaves behind is settled there.
    let cause: unknown
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', (code) => this.#settle(worker, cause ?? new Error(`It exited with ${code}.`)))
    // The service lives by its server, not by this thread.
    worker.unref()
    return worker
  }

  #restSoon(): void {
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => {
      const worker = this.#worker
      // Forgotten first, so that work which comes meanwhile begins another.
      this.#worker = undefined
      void worker?.terminate()
    }, restMs).unref()
  }

  #settle(worker: Worker, cause: unknown): void {
    // One that was let go has left nothing behind.
    if (this.#worker !== worker) return
    const position = Atomics.load(this.#progress, 0)
    this.#worker = undefined
    const left = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { task, reject } of left) {
      reject(new WorkerDied(task.type === 'segment' && position >= 0 ? position : undefined, { cause }))
    }
  }
}
