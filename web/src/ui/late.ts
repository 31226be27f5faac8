import { type ComponentType, type LazyExoticComponent, lazy, useEffect, useState } from 'react'

/**
 * A part of the page that nobody sees before they press or point at something: a chunk of its own, loaded at the first sign of
 * somebody there, so that a screen that is only looked at loads nothing for it and the part is there in time. `isNeeded`
 * resolves where it must come before that.
 */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isNeeded?: Promise<void>,
): LazyExoticComponent<ComponentType<Props>> {
  const loading = Promise.race([presence, ...(isNeeded ? [isNeeded] : [])]).then(() => persistently(load))
  // Drawing it reports the failure; without that nobody misses it.
  loading.catch(() => undefined)
  return lazy(async () => {
    const part = await loading
    await release()
    return { default: part }
  })
}

const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown', 'click'] as const

/** Browsers report a pointer that nobody has moved yet, in the corner of the page. */
const isAtRest = (event: Event): boolean =>
  event instanceof PointerEvent &&
  [event.clientX, event.clientY, event.movementX, event.movementY].every((value) => value === 0) &&
  event.type === 'pointermove'

/** Resolves once somebody moves the pointer, touches or types. */
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

/** Resolves once no button is pressed: a part that comes between a press and its release would take the click from what it replaces. */
async function release(): Promise<void> {
  if (!isPressed) return
  await new Promise<void>((resolve) => {
    // The click follows the release at once.
    const settle = (): void => void setTimeout(resolve)
    addEventListener('pointerup', settle, { capture: true, once: true })
    addEventListener('pointercancel', settle, { capture: true, once: true })
  })
}

/** False until then: for what only a menu or a dialog shows. */
export function usePresence(): boolean {
  const [isPresent, setPresent] = useState(false)
  useEffect(() => void presence.then(() => setPresent(true)), [])
  return isPresent
}

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
