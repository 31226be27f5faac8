import { type RefObject, useRef, useState } from 'react'
import { areaOf, type Place } from './moves.ts'

interface GridSelectionOptions {
  /** Scrolls a place into view. */
  readonly onReveal: (place: Place) => void
  /** Called with the row of each newly active cell, which an open panel follows. */
  readonly onRow: (index: number) => void
}

export interface GridSelection {
  readonly active: Place | undefined
  readonly area: ReturnType<typeof areaOf> | undefined
  readonly isDragging: RefObject<boolean>
  /** Makes a cell active; with `extend` the area grows from its anchor. */
  readonly go: (place: Place, extend?: boolean) => void
  readonly press: (place: Place, extend: boolean) => void
  readonly drag: (place: Place, isPressed: boolean) => void
  readonly selectArea: (start: Place, end: Place) => void
  readonly setActive: (place: Place | undefined) => void
}

/** The active cell of the grid and the selected area, by keyboard and pointer. */
export function useGridSelection({ onReveal, onRow }: GridSelectionOptions): GridSelection {
  const [active, setActive] = useState<Place>()
  const [anchor, setAnchor] = useState<Place>()
  const isDragging = useRef(false)
  const go = (place: Place, extend = false): void => {
    setAnchor(extend ? (anchor ?? active) : undefined)
    setActive(place)
    onReveal(place)
    onRow(place.row)
  }
  return {
    active,
    area: active === undefined ? undefined : areaOf(active, anchor ?? active),
    isDragging,
    go,
    press: (place, extend) => {
      isDragging.current = true
      go(place, extend)
    },
    drag: (place, isPressed) => {
      if (!isPressed) isDragging.current = false
      if (!isDragging.current || active === undefined) return
      setAnchor((previous) => previous ?? active)
      setActive(place)
    },
    selectArea: (startPlace, endPlace) => {
      setActive(startPlace)
      setAnchor(endPlace)
    },
    setActive,
  }
}
