/**
 * Yields to requests: with few cores, the threads that move records to the trace store run at lower priority than the
 * thread that serves requests. The spool buffers the delayed records until the load falls.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** Threads that requests wait for: Node's own, and those that write and sync the spool. */
const requestThreads = new Set(['MainThread', 'libuv-worker', 'V8Worker'])

const intervalMs = 1_000

/**
 * Lowers the priority of every other thread of this process, at most once a second, since the engine starts new ones.
 * Linux only, where threads have priorities of their own.
 */
export function makeLowerBackgroundThreads(): () => void {
  if (process.platform !== 'linux') return () => {}
  let checkedAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - checkedAtMs < intervalMs) return
    checkedAtMs = performance.now()
    for (const thread of readdirSync('/proc/self/task')) lower(thread)
  }
}

function lower(thread: string): void {
  try {
    const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
    if (!requestThreads.has(name)) setPriority(Number(thread), constants.priority.PRIORITY_LOW)
  } catch {
    // A thread may end in the meantime.
  }
}
