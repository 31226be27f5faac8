/** A thread that runs code, one task at a time. The main thread terminates it if a task hangs. */
import { handleTasks } from '../../../process/threads/worker-task.ts'
import { runInEngine } from './engine.ts'
import { CodeFailed } from './limits.ts'
import type { EngineTask, Reply } from './sandbox-messages.ts'

handleTasks(perform)

async function perform(task: EngineTask): Promise<Reply> {
  try {
    return { type: 'judged', verdict: await runInEngine(task) }
  } catch (error) {
    if (error instanceof CodeFailed)
      return { type: 'failed', reason: error.reason, message: error.message, line: error.line }
    // The engine itself ran out of memory or stack; the details do not help the author of the code.
    return {
      type: 'failed',
      reason: 'broke',
      message: 'The code crashed the engine that ran it.',
      line: undefined,
      cause: String(error),
    }
  }
}
