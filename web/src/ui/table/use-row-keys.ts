import { type KeyboardEvent, useState } from 'react'
import { useShortcuts } from '../shortcuts.tsx'

interface RowKeysOptions<Row> {
  readonly rows: readonly Row[]
  readonly ids: readonly string[]
  readonly scroller: HTMLElement | null
  readonly scrollTo: (index: number) => void
  readonly openId: string | undefined
  readonly onOpen: ((row: Row) => void) | undefined
  readonly onEnter: ((row: Row) => void) | undefined
  /** Absent if rows cannot be selected. */
  readonly onSelect: ((id: string) => void) | undefined
}

/** The active row of a table and the keys that move it: j/k, the arrows, Home and End; o and Enter open it, x selects it. */
export function useRowKeys<Row>(options: RowKeysOptions<Row>) {
  const { rows, ids, scroller, scrollTo, openId, onOpen, onEnter, onSelect } = options
  const [activeId, setActiveId] = useState<string>()
  const active = ids.indexOf(activeId ?? openId ?? '')
  const activate = (index: number): void => {
    const row = rows[index]
    if (row === undefined) return
    setActiveId(ids[index])
    scrollTo(index)
    // The table handles the following keys: Enter, the arrows.
    scroller?.focus({ preventScroll: true })
    // An open panel follows.
    if (openId !== undefined) onOpen?.(row)
  }
  const withActive = (action: ((row: Row) => void) | undefined) => (): void => {
    const row = rows[active]
    if (row !== undefined) action?.(row)
  }
  const down = (): void => activate(Math.min(active + 1, rows.length - 1))
  const goUp = (): void => activate(Math.max(active - 1, 0))
  useShortcuts([
    { keys: 'j', label: 'Next row', onPress: down },
    { keys: 'k', label: 'Previous row', onPress: goUp },
    ...(onSelect ? [{ keys: 'x', label: 'Select row', onPress: () => onSelect(ids[active] ?? '') }] : []),
    ...(onOpen ? [{ keys: 'o', label: 'Open row', onPress: withActive(onOpen) }] : []),
  ])
  const actions: Readonly<Record<string, () => void>> = {
    ArrowDown: down,
    ArrowUp: goUp,
    Enter: withActive(onEnter),
    Home: () => activate(0),
    End: () => activate(ids.length - 1),
  }
  const press = (event: KeyboardEvent): void => {
    const action = event.target === event.currentTarget ? actions[event.key] : undefined
    if (action === undefined) return
    event.preventDefault()
    action()
  }
  return { active, setActiveId, press }
}
