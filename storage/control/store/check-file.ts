import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * The problems of a control store file, as reported by SQLite; empty if there are none. Reads the whole file in a
 * separate thread, and may run while the store is in use.
 */
export async function checkControlFile(file: string): Promise<string[]> {
  const worker = new Worker(new URL('./check-file-thread.ts', import.meta.url), { workerData: file })
  try {
    // Safe: the thread posts one message, a list of texts.
    const [problems] = (await once(worker, 'message')) as [string[]]
    return problems
  } finally {
    await worker.terminate()
  }
}
