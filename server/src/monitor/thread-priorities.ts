/**
 * Requests first: where cores are few, the threads that move records to the trace store give way to the one that
 * answers. The spool takes up what that delays, and they catch up when the load falls.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** Threads that requests wait for: Node's own, and those that write and sync the spool. */
const ofRequests = new Set(['MainThread', 'libuv-worker', 'V8Worker'])

const lookAgainMs = 1_000

/**
 * Lowers the priority of every other thread of this process, at most once a second: the engine begins new ones.
 * Linux only, where threads have priorities of their own.
 */
export function makeLowerBackgroundThreads(): () => void {
  if (process.platform !== 'linux') return () => {}
  let lookedAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - lookedAtMs < lookAgainMs) return
    lookedAtMs = performance.now()
    for (const thread of readdirSync('/proc/self/task')) lower(thread)
  }
}

function lower(thread: string): void {
  try {
    const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
    if (!ofRequests.has(name)) setPriority(Number(thread), constants.priority.PRIORITY_LOW)
  } catch {
    // A thread may end while it is looked at.
  }
}
