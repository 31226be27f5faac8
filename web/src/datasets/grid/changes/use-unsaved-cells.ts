import { useRef, useState } from 'react'
import { useSession } from '../../../app/session.tsx'
import { forgetInTab, keepInTab, readInTab } from '../../../ui/tab-storage.ts'
import type { GridField } from '../fields.ts'
import type { Dataset } from '../row-types.ts'
import { readCells, type UnsavedCell, withCells, withoutCells, writeCells } from './unsaved-cells.ts'

export interface UnsavedCells {
  readonly cells: readonly UnsavedCell[]
  keep(cells: readonly UnsavedCell[]): void
  forget(places: readonly { readonly rowId: string; readonly field: GridField }[]): void
}

/** Keeps what could not be saved of a dataset until it is, also while somebody signs in again. */
export function useUnsavedCells({ slug, columns }: Pick<Dataset, 'slug' | 'columns'>): UnsavedCells {
  const { ownPlace } = useSession()
  const name = `unsaved-cells.${ownPlace}/${slug}`
  const [cells, setCells] = useState(() => readCells(readInTab(name), columns))
  // Several saves may end before the next render.
  const latest = useRef(cells)
  const change = (next: readonly UnsavedCell[]): void => {
    latest.current = next
    if (next.length === 0) forgetInTab(name)
    else keepInTab(name, writeCells(next))
    setCells(next)
  }
  return {
    cells,
    keep: (newCells) => change(withCells(latest.current, newCells)),
    forget: (places) => {
      const next = withoutCells(latest.current, places)
      if (next.length < latest.current.length) change(next)
    },
  }
}
