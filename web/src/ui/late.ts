import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/**
 * A part of the page that nobody sees before they press or point at something: a chunk of its own, loaded once the browser
 * has drawn the first screen and is idle, so that it is there in time.
 */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  const loading = idle().then(() => persistently(load))
  // Drawing it reports the failure; without that nobody misses it.
  loading.catch(() => undefined)
  return lazy(async () => ({ default: await loading }))
}

const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: 1000 })
    else setTimeout(resolve, 200)
  })

/** Without a network it waits for it: a screen that is there must not go because of a menu that nobody has opened. */
async function persistently<Part>(load: () => Promise<Part>, tries = 5, pauseMs = 1000): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    if (tries <= 1) throw error
    await new Promise((resolve) => {
      if (navigator.onLine) setTimeout(resolve, pauseMs)
      else addEventListener('online', resolve, { once: true })
    })
    return persistently(load, tries - 1, pauseMs * 2)
  }
}
