// A process of its own: it changes the priorities of the threads that it has.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { constants, getPriority } from 'node:os'
import { test } from 'node:test'
import { batchOf, openTestTraceStore, testTrace } from '@plumbline/storage/traces/testing'
import { findRequestThreads, makeLowerBackgroundThreads } from './thread-priorities.ts'

/** Undefined if the thread has ended in the meantime. */
function nameOf(thread: string): string | undefined {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
  } catch {
    return undefined
  }
}

const threadsOf = (name: string): string[] =>
  readdirSync('/proc/self/task').filter((thread) => nameOf(thread) === name)

test('threads that requests wait for keep their priority even if the engine renames them', async () => {
  // Only Linux has thread priorities.
  if (process.platform !== 'linux') return
  await access('/')
  const pool = threadsOf('libuv-worker')
  assert.ok(pool.length >= 4)
  await findRequestThreads()
  const store = await openTestTraceStore()
  for (let batch = 0; batch < 20; batch++)
    await store.insert(batchOf({ traces: [testTrace({ workspaceId: 'threads' })] }))
  // The engine renames threads that run its statements in the same way.
  writeFileSync(`/proc/self/task/${pool[0]}/comm`, 'QueryPipelineEx')
  makeLowerBackgroundThreads()()
  const priority = (thread: string): number => getPriority(Number(thread))
  const own = getPriority(process.pid)
  assert.deepEqual(new Set(pool.map(priority)), new Set([own]))
  assert.deepEqual(
    new Set(threadsOf('V8Worker').map(priority)),
    new Set([constants.priority.PRIORITY_BELOW_NORMAL]),
  )
  const low = readdirSync('/proc/self/task').filter(
    (thread) => priority(thread) === constants.priority.PRIORITY_LOW,
  )
  assert.ok(low.length > 10)
  await store.close()
})
