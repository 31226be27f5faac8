import type { KeyboardEvent } from 'react'
import { isOfComposition, shortcutKey, typesCharacter } from '../../ui/typed-key.ts'
import type { RowChanges } from './changes/use-row-changes.ts'
import { type Extent, type Place, placeAfter, tabbedPlace } from './moves.ts'
import type { StoredRow } from './row-types.ts'

interface GridKeysOptions {
  readonly active: Place | undefined
  readonly extent: Extent
  readonly loadedRows: readonly StoredRow[]
  readonly hasRows: boolean
  readonly changes: RowChanges | undefined
  readonly isPanelOpen: boolean
  readonly onGo: (place: Place, extend?: boolean) => void
  readonly onEdit: (place: Place, firstKey?: string) => void
  readonly onOpen: (row: StoredRow) => void
  readonly onSelectAll: () => void
  readonly onToggleRow: (index: number) => void
  readonly onClear: () => void
  readonly onLeave: () => void
}

/** The keys of the grid; all others go to the shortcuts of the screen. */
export function useGridKeys(options: GridKeysOptions): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.target !== event.currentTarget || isOfComposition(event.nativeEvent)) return
    const action =
      moveOf(event, options) ?? (isMod(event) ? modActionOf(event, options) : cellActionOf(event, options))
    if (action === undefined) return
    event.preventDefault()
    action()
  }
}

type Action = (() => void) | undefined

const isMod = (event: KeyboardEvent): boolean => (event.metaKey || event.ctrlKey) && !typesCharacter(event)

function moveOf(event: KeyboardEvent, { active, extent, onGo }: GridKeysOptions): Action {
  const place = active ?? { row: 0, column: 0 }
  const next = event.altKey ? undefined : placeAfter({ key: event.key, isMod: isMod(event) }, place, extent)
  return next && (() => onGo(active === undefined ? place : next, event.shiftKey))
}

function modActionOf(event: KeyboardEvent, options: GridKeysOptions): Action {
  const key = shortcutKey(event)
  const { active, loadedRows, hasRows, changes, onOpen, onSelectAll } = options
  const row = loadedRows[active?.row ?? 0]
  if (key.toLowerCase() === 'z') return changes?.undo
  if (key.toLowerCase() === 'a') return hasRows ? onSelectAll : undefined
  return key === 'Enter' && row !== undefined ? () => onOpen(row) : undefined
}

function cellActionOf(event: KeyboardEvent, options: GridKeysOptions): Action {
  const { key, shiftKey, altKey } = event
  const { active, extent, changes, isPanelOpen, onGo, onEdit, onToggleRow, onClear, onLeave } = options
  // Without an active cell, Tab leaves the grid.
  if (active === undefined || (altKey && !typesCharacter(event))) return undefined
  switch (key) {
    case 'Tab': {
      const next = tabbedPlace(active, shiftKey ? -1 : 1, extent)
      return next && (() => onGo(next))
    }
    case 'Enter':
    case 'F2':
      return () => onEdit(active)
    case 'Escape':
      // An open panel is closed first.
      return isPanelOpen ? undefined : onLeave
    case 'Delete':
    case 'Backspace':
      return onClear
    default:
      if (key === ' ' && shiftKey) return () => onToggleRow(active.row)
      return key.length === 1 && changes !== undefined ? () => onEdit(active, key) : undefined
  }
}
