/** The worker thread's side: a file that `WorkerPool` starts calls `handleTasks` once. */
import { parentPort, workerData } from 'node:worker_threads'
import type { TaskMessage, TaskReply } from './worker-messages.ts'

interface HandlerOptions<Result> {
  /** Buffers of a result that are moved to the main thread instead of copied. */
  readonly transferOf?: (result: Result) => ArrayBuffer[]
}

/** Runs each task that arrives, and replies with its result or its error. */
export function handleTasks<Task, Result>(
  perform: (task: Task) => Result | Promise<Result>,
  { transferOf = () => [] }: HandlerOptions<Result> = {},
): void {
  const port = parentPort
  if (port === null) throw new Error('This module runs as a worker thread.')
  const reply = (message: TaskReply<Result>, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer)

  const run = async ({ id, task, reportsStart }: TaskMessage<Task>): Promise<void> => {
    if (reportsStart) reply({ id, type: 'started' })
    try {
      const result = await perform(task)
      reply({ id, type: 'done', result }, transferOf(result))
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error))
      reply({ id, type: 'failed', message, stack })
    }
  }

  port.on('message', (message: TaskMessage<Task>) => void run(message))
}

/** A number that the main thread can still read after this thread has died: its progress. Starts at -1. */
// Safe: `WorkerPool` starts each thread with this buffer.
export const progress = new Int32Array(workerData as SharedArrayBuffer)
