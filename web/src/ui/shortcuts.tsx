/** Screen-wide shortcuts; `?` lists the current ones. */
import { createContext, type ReactNode, useContext, useEffect, useId, useRef, useState } from 'react'
import { isOfComposition, shortcutKey } from './typed-key.ts'

export interface Shortcut {
  /** `j`, `shift+?`, `mod+k`, or two after each other: `g t`. */
  readonly keys: string
  /** The description in the list; without one it is not listed. */
  readonly label?: string | undefined
  readonly onPress: (event: KeyboardEvent) => void
}

interface Registry {
  readonly current: Map<string, readonly Shortcut[]>
  set(owner: string, shortcuts: readonly Shortcut[] | undefined): void
}

const RegistryContext = createContext<Registry | undefined>(undefined)

/** The timeout for the second key of a sequence. */
const sequenceMs = 1200

export function ShortcutsProvider({ children }: { readonly children: ReactNode }) {
  const [registry] = useState<Registry>(() => {
    const current = new Map<string, readonly Shortcut[]>()
    return {
      current,
      set: (owner, shortcuts) => {
        // The last mounted takes precedence: a panel's shortcuts over the list's.
        current.delete(owner)
        if (shortcuts !== undefined) current.set(owner, shortcuts)
      },
    }
  })
  useEffect(() => {
    let firstPress: { readonly key: string; readonly atMs: number } | undefined
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isOfComposition(event)) return
      const key = nameOf(event)
      const isTyping = isTypingIn(event.target)
      const sequence =
        firstPress !== undefined && event.timeStamp - firstPress.atMs < sequenceMs
          ? `${firstPress.key} ${key}`
          : key
      firstPress = undefined
      const shortcuts = [...registry.current.values()].reverse().flat()
      const shortcut =
        shortcuts.find(({ keys }) => keys === sequence) ?? shortcuts.find(({ keys }) => keys === key)
      if (shortcut !== undefined && (!isTyping || key.startsWith('mod+'))) {
        event.preventDefault()
        shortcut.onPress(event)
      } else if (!isTyping && shortcuts.some(({ keys }) => keys.startsWith(`${key} `))) {
        firstPress = { key, atMs: event.timeStamp }
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [registry])
  return <RegistryContext value={registry}>{children}</RegistryContext>
}

const useRegistry = (): Registry => {
  const registry = useContext(RegistryContext)
  if (registry === undefined) throw new Error('Shortcuts need a ShortcutsProvider above them.')
  return registry
}

/** Binds shortcuts while the component is mounted. They are inactive while the user types, except those with `mod`. */
export function useShortcuts(shortcuts: readonly Shortcut[], isActive = true): void {
  const owner = useId()
  const registry = useRegistry()
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  const names = shortcuts.map(({ keys, label }) => `${keys}\t${label ?? ''}`).join('\n')
  useEffect(() => {
    if (!isActive) return
    // Handlers are looked up on key press, so that they see the latest state.
    const boundShortcuts = names.split('\n').map((name, index) => {
      const [keys = '', label = ''] = name.split('\t')
      return {
        keys,
        label: label === '' ? undefined : label,
        onPress: (event: KeyboardEvent) => latest.current[index]?.onPress(event),
      }
    })
    registry.set(owner, names === '' ? undefined : boundShortcuts)
    return () => registry.set(owner, undefined)
  }, [names, isActive, owner, registry])
}

/** The current shortcuts, for the list. */
export function useBoundShortcuts(): () => readonly Shortcut[] {
  const registry = useRegistry()
  return () => [...registry.current.values()].flat().filter(({ label }) => label !== undefined)
}

function nameOf(event: KeyboardEvent): string {
  const pressed = shortcutKey(event)
  const key = pressed === ' ' ? 'space' : pressed.toLowerCase()
  const parts = [
    event.metaKey || event.ctrlKey ? 'mod' : '',
    event.altKey ? 'alt' : '',
    isShifted(event.shiftKey, pressed) ? 'shift' : '',
    key,
  ]
  return parts.filter((part) => part !== '').join('+')
}

/** Shift counts for letters and named keys only: `?` contains it already. */
const isShifted = (shiftKey: boolean, key: string): boolean =>
  shiftKey && (key.length > 1 || /[a-z]/i.test(key))

/** Fields, editors, open menus and dialogs take precedence. */
const isTypingIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest(
      'input:not([type=checkbox]), textarea, select, [role=menu], [role=listbox], [role=dialog], [role=alertdialog]',
    ) !== null)
