/**
 * Yields to requests: with few cores, the threads that move records to the trace store run at lower priority than those that
 * requests wait for. The spool buffers the delayed records until the load falls. Linux only, where each thread has its own
 * priority.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'

/** The main thread, and the threads that write and sync the spool. */
const requestThreadNames = new Set(['MainThread', 'libuv-worker'])

/**
 * These collect garbage for all threads. Most of it comes from the thread that makes rows, but the main thread waits for
 * them now and then, too.
 */
const collectorName = 'V8Worker'

const intervalMs = 1_000

let requestThreads: ReadonlySet<string> | undefined

/**
 * Records which threads requests wait for. Must run before the trace store engine starts: the engine renames those of Node's
 * threads that run its statements, and its own threads have Node's names until they have work.
 */
export async function findRequestThreads(): Promise<void> {
  if (process.platform !== 'linux' || requestThreads !== undefined) return
  // The first asynchronous file access starts all threads of the pool.
  await access('/proc/self/task')
  requestThreads = new Set(
    readdirSync('/proc/self/task').filter((thread) => requestThreadNames.has(nameOf(thread))),
  )
}

/** Lowers the priority of all other threads of this process, at most once a second, since the engine starts new ones. */
export function makeLowerBackgroundThreads(): () => void {
  let checkedAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (requestThreads === undefined || performance.now() - checkedAtMs < intervalMs) return
    checkedAtMs = performance.now()
    for (const thread of readdirSync('/proc/self/task')) if (!requestThreads.has(thread)) lower(thread)
  }
}

function lower(thread: string): void {
  try {
    const { PRIORITY_LOW, PRIORITY_BELOW_NORMAL } = constants.priority
    setPriority(Number(thread), nameOf(thread) === collectorName ? PRIORITY_BELOW_NORMAL : PRIORITY_LOW)
  } catch {
    // A thread may end in the meantime.
  }
}

function nameOf(thread: string): string {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}
