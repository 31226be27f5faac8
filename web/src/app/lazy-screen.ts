import { lazyRouteComponent } from '@tanstack/react-router'
import { checkConnection, isReachable } from './connection.ts'

/**
 * The code of a screen, loaded when someone opens it. It waits while the service does not respond: otherwise the
 * router would reload the page, and the browser would show its own error page. A chunk that a new release has removed
 * still causes a reload.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => whenReachable(load), name)

async function whenReachable<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (await isReachable()) throw error
      await checkConnection()
    }
  }
}
