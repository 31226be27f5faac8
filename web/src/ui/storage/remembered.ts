/** The user's choices on this device: widths, columns, density, theme. */
import { useCallback, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
const prefix = 'plumbline.'

/** Without storage (a private window), or without room in it, a choice lasts as long as the page. */
const unstored = new Map<string, string>()

export function readRemembered(name: string): string | null {
  try {
    return unstored.get(name) ?? localStorage.getItem(prefix + name)
  } catch {
    return null
  }
}

/** Stores a choice, and notifies its users on the page. */
export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(prefix + name, value)
    unstored.delete(name)
  } catch {
    unstored.set(name, value)
  }
  for (const listener of listeners) listener()
}

export function forget(name: string): void {
  unstored.delete(name)
  try {
    localStorage.removeItem(prefix + name)
  } catch {}
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  // Another tab may change it.
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/** Calls back when another tab stores this key, or removes it (with null). */
export function onStoredElsewhere(name: string, onStored: (value: string | null) => void): () => void {
  const listen = ({ key, newValue }: StorageEvent): void => {
    if (key === prefix + name) onStored(newValue)
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}

/** A remembered text, and how to change it. */
export function useRemembered(name: string, initial: string): [string, (value: string) => void] {
  const value = useSyncExternalStore(subscribe, () => readRemembered(name)) ?? initial
  const set = useCallback((next: string) => remember(name, next), [name])
  return [value, set]
}

/** A remembered number, such as a width. */
export function useRememberedNumber(name: string, initial: number): [number, (value: number) => void] {
  const [text, set] = useRemembered(name, String(initial))
  const setNumber = useCallback((value: number) => set(String(Math.round(value))), [set])
  const value = Number(text)
  return [Number.isFinite(value) ? value : initial, setNumber]
}
