/**
 * Node's test runner, with a cheaper note of which test made what. The runner keeps one of every promise of the process, so
 * that an error that nobody catches fails the test it came from, and has the garbage collector tell it of each promise that
 * has gone: a twentieth of the CPU of tests that run in one process with a service.
 */
import asyncHooks, { type HookCallbacks } from 'node:async_hooks'

/** Of how many promises, the latest, it is known which test made them. */
const promisesMax = 2 ** 17

/** Forgets promises by number in place of by their end. What is no promise is little, and kept. */
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

// The runner takes the function when it is loaded, which is here; others get Node's own.
const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => createHook(boundPromises(callbacks))
const { run } = await import('node:test')
asyncHooks.createHook = createHook

export { run }
