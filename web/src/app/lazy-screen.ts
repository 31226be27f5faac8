import { lazyRouteComponent } from '@tanstack/react-router'
import { checkConnection, isReachable } from './connection.ts'

/**
 * The code of a screen, loaded when someone opens it. While the service does not respond it waits: the router would
 * reload the page, and the browser would show that there is none. A chunk that a new release has removed still does that.
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
