/** A thread that runs code, one task at a time. The main thread terminates it if a task hangs. */
import { parentPort } from 'node:worker_threads'
import { runInEngine } from './engine.ts'
import { CodeFailed } from './limits.ts'
import type { Reply, Task } from './sandbox-messages.ts'

const port = parentPort
if (port === null) throw new Error('This module runs as a worker thread.')

port.on('message', (task: Task) => {
  port.postMessage({ type: 'begun' } satisfies Reply)
  perform(task).then((reply) => port.postMessage(reply))
})

async function perform(task: Task): Promise<Reply> {
  try {
    return { type: 'judged', verdict: await runInEngine(task) }
  } catch (error) {
    if (error instanceof CodeFailed)
      return { type: 'failed', reason: error.reason, message: error.message, line: error.line }
    // The engine itself ran out of memory or stack; the details do not help the author of the code.
    return {
      type: 'failed',
      reason: 'broke',
      message: 'The code broke the engine that ran it.',
      line: undefined,
      cause: String(error),
    }
  }
}
