import { type ComponentType, type LazyExoticComponent, lazy, useEffect, useState } from 'react'

/**
 * A part of the page that is not visible until the user presses or points at something: a separate chunk, loaded at
 * the first interaction, so that an untouched screen does not load it and the part is ready in time. `isNeeded`
 * resolves if it is needed earlier.
 */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isNeeded?: Promise<void>,
): LazyExoticComponent<ComponentType<Props>> {
  const loading = Promise.race([presence, ...(isNeeded ? [isNeeded] : [])]).then(() => persistently(load))
  // Rendering it reports the failure; until then it is not needed.
  loading.catch(() => undefined)
  return lazy(async () => {
    const part = await loading
    await release()
    return { default: part }
  })
}

const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown', 'click'] as const

/** Browsers report an unmoved pointer in the corner of the page. */
const isAtRest = (event: Event): boolean =>
  event instanceof PointerEvent &&
  [event.clientX, event.clientY, event.movementX, event.movementY].every((value) => value === 0) &&
  event.type === 'pointermove'

/** Resolves once the user moves the pointer, touches or types. */
const presence = new Promise<void>((resolve) => {
  const notice = (event: Event): void => {
    if (isAtRest(event)) return
    for (const sign of signs) removeEventListener(sign, notice, { capture: true })
    resolve()
  }
  for (const sign of signs) addEventListener(sign, notice, { capture: true, passive: true })
})

let isPressed = false
addEventListener('pointerdown', () => (isPressed = true), { capture: true, passive: true })
for (const end of ['pointerup', 'pointercancel'])
  addEventListener(end, () => (isPressed = false), { capture: true, passive: true })

/**
 * Resolves once no button is pressed: a part that appears between a press and its release would lose the click on the
 * replaced element.
 */
async function release(): Promise<void> {
  if (!isPressed) return
  await new Promise<void>((resolve) => {
    // The click follows the release at once.
    const settle = (): void => void setTimeout(resolve)
    addEventListener('pointerup', settle, { capture: true, once: true })
    addEventListener('pointercancel', settle, { capture: true, once: true })
  })
}

/** False until then: for contents of menus and dialogs. */
export function usePresence(): boolean {
  const [isPresent, setPresent] = useState(false)
  useEffect(() => void presence.then(() => setPresent(true)), [])
  return isPresent
}

/** Without a network, it waits: a loaded screen must not fail because of an unopened menu. */
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
