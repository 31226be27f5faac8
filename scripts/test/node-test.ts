/**
 * Node's test runner, with cheaper tracking of which test created which promise. The runner tracks every promise of the
 * process, so that an uncaught error fails the test that caused it, and is notified of each collected promise: a
 * twentieth of the CPU of tests that share a process with a service.
 */
import asyncHooks, { type HookCallbacks } from 'node:async_hooks'

/** For how many of the latest promises the creating test is known. */
const promisesMax = 2 ** 17

/** Drops promises by count instead of on collection. Other resources are few, and kept. */
function boundPromises({ init, destroy }: HookCallbacks): HookCallbacks {
  const latest = new Float64Array(promisesMax)
  let next = 0
  return {
    init(asyncId, type, triggerAsyncId, resource) {
      init?.(asyncId, type, triggerAsyncId, resource)
      if (type !== 'PROMISE') return
      const oldest = latest[next]!
      if (oldest !== 0) destroy?.(oldest)
      latest[next] = asyncId
      next = (next + 1) % promisesMax
    },
  }
}

// The runner captures the function when it is loaded here; other modules get Node's own.
const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => createHook(boundPromises(callbacks))
const { run } = await import('node:test')
asyncHooks.createHook = createHook

export { run }
