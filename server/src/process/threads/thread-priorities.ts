/**
 * Yields to requests: with few cores, the threads that move records to the trace store run at lower priority than the
 * threads that requests wait for. The spool buffers the delayed records until the load falls. Linux only, where threads
 * have priorities of their own.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'

/** The main thread, and those that write and sync the spool. */
const requestThreadNames = new Set(['MainThread', 'libuv-worker'])

/**
 * They collect the garbage of all threads: mostly of the one that makes rows, but the main thread, too, waits for them
 * now and then.
 */
const collectorName = 'V8Worker'

const intervalMs = 1_000

let requestThreads: ReadonlySet<string> | undefined

/**
 * Remembers which threads requests wait for. Called before the engine of the trace store starts: it gives names of
 * its own to those of Node that run some of its statements, and its threads have the names of Node's until they have work.
 */
export async function findRequestThreads(): Promise<void> {
  if (process.platform !== 'linux' || requestThreads !== undefined) return
  // The first use starts all threads of the pool.
  await access('/proc/self/task')
  requestThreads = new Set(
    readdirSync('/proc/self/task').filter((thread) => requestThreadNames.has(nameOf(thread))),
  )
}

/** Lowers the priority of every other thread of this process, at most once a second, since the engine starts new ones. */
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
