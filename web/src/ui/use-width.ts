/** The width of an element, as it changes. */
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Infinite until the element is mounted. */
export function useWidth(place: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidth] = useState(Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const { current } = place
    if (current === null) return
    setWidth(current.offsetWidth)
    const observer = new ResizeObserver(() => setWidth(current.offsetWidth))
    observer.observe(current)
    return () => observer.disconnect()
  }, [place])
  return widthPx
}

/** A ref for the element, and whether it is narrower than this: a table then shows fewer columns. */
export function useNarrow(wideMinPx: number): {
  readonly place: RefObject<HTMLDivElement | null>
  readonly isNarrow: boolean
} {
  const place = useRef<HTMLDivElement>(null)
  return { place, isNarrow: useWidth(place) < wideMinPx }
}
