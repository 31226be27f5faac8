/** The width of an element, as it changes. */
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Infinite until the element is there. */
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

/** Where to put the `place`, and whether it has less room than this: a table shows fewer columns then. */
export function useNarrow(wideMinPx: number): {
  readonly place: RefObject<HTMLDivElement | null>
  readonly isNarrow: boolean
} {
  const place = useRef<HTMLDivElement>(null)
  return { place, isNarrow: useWidth(place) < wideMinPx }
}
