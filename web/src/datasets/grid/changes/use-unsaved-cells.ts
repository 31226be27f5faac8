import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../../app/session.tsx'
import { forgetInTab, keepInTab, readInTab } from '../../../ui/storage/tab-storage.ts'
import type { GridField } from '../fields.ts'
import type { Dataset } from '../row-types.ts'
import { readCells, type UnsavedCell, withCells, withoutCells, writeCells } from './unsaved-cells.ts'

export interface UnsavedCells {
  readonly cells: readonly UnsavedCell[]
  keep(cells: readonly UnsavedCell[]): void
  forget(places: readonly { readonly rowId: string; readonly field: GridField }[]): void
  /** Keeps cells that are being saved in case the page is left, until the returned function is called. */
  hold(cells: readonly Omit<UnsavedCell, 'problem'>[]): () => void
}

const leftProblem = 'You left before the service responded.'

/** Keeps the unsaved cells of a dataset until they are saved, even across a new sign-in. */
export function useUnsavedCells({ slug, columns }: Pick<Dataset, 'slug' | 'columns'>): UnsavedCells {
  const { ownPlace } = useSession()
  const name = `unsaved-cells.${ownPlace}/${slug}`
  const [cells, setCells] = useState(() => readCells(readInTab(name), columns))
  // Several saves may end before the next render.
  const latest = useRef(cells)
  const heldCells = useRef<readonly (readonly UnsavedCell[])[]>([])
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  const store = (all: readonly UnsavedCell[]): void => {
    if (all.length === 0) forgetInTab(name)
    else keepInTab(name, writeCells(all))
  }
  /** A save that ends after the screen closed changes the stored cells, which another screen may be using by then. */
  const change = (update: (cells: readonly UnsavedCell[]) => readonly UnsavedCell[]): void => {
    if (isGone.current) {
      store(update(readCells(readInTab(name), columns)))
      return
    }
    latest.current = update(latest.current)
    store(heldCells.current.reduce(withCells, latest.current))
    setCells(latest.current)
  }
  return {
    cells,
    keep: (newCells) => change((all) => withCells(all, newCells)),
    forget: (places) => {
      if (withoutCells(latest.current, places).length < latest.current.length)
        change((all) => withoutCells(all, places))
    },
    hold: (sentCells) => {
      const own = sentCells.map((cell) => ({ ...cell, problem: leftProblem }))
      heldCells.current = [...heldCells.current, own]
      store(heldCells.current.reduce(withCells, latest.current))
      return () => {
        heldCells.current = heldCells.current.filter((each) => each !== own)
        if (isGone.current) change((all) => withoutCells(all, own))
        else store(heldCells.current.reduce(withCells, latest.current))
      }
    },
  }
}
