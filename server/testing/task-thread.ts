/** A thread for tests of the worker pool: it does what each task requests. */
import { threadId } from 'node:worker_threads'
import { handleTasks, progress } from '../src/process/threads/worker-task.ts'

export type ThreadTask =
  | { readonly type: 'thread' }
  | { readonly type: 'environment' }
  | { readonly type: 'fail'; readonly message: string }
  /** Ends the thread after this progress. */
  | { readonly type: 'exit'; readonly progress: number }
  /** Never ends, and blocks the thread. */
  | { readonly type: 'hang' }
  /** Waits until the first number of the memory is not 0. */
  | { readonly type: 'wait'; readonly gate: SharedArrayBuffer }

handleTasks((task: ThreadTask): number => {
  switch (task.type) {
    case 'thread':
      return threadId
    case 'environment':
      // biome-ignore lint/style/noProcessEnv: whether a thread has an environment is what the test asks.
      return Object.keys(process.env).length
    case 'fail':
      throw new Error(task.message)
    case 'exit':
      Atomics.store(progress, 0, task.progress)
      return process.exit(3)
    case 'hang':
      for (;;);
    case 'wait':
      Atomics.wait(new Int32Array(task.gate), 0, 0)
      return threadId
  }
})
