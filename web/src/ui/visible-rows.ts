/** The rendered rows of a long table or tree: the visible ones and a few around them. All rows have the same height. */
import { useCallback, useLayoutEffect, useMemo, useState } from 'react'

/** Rows rendered before and after the visible ones, so that scrolling shows no gap. */
const rowsAround = 12

interface Range {
  readonly first: number
  /** One past the last row. */
  readonly end: number
}

export interface Viewport {
  readonly scrollTop: number
  readonly clientHeight: number
}

/** The rows to render for a scroll position. */
export function rangeAt({ scrollTop, clientHeight }: Viewport, count: number, rowPx: number): Range {
  const first = Math.floor(scrollTop / rowPx) - rowsAround
  const end = Math.ceil((scrollTop + clientHeight) / rowPx) + rowsAround
  return { first: Math.max(Math.min(first, count), 0), end: Math.max(Math.min(end, count), 0) }
}

/** The scroll position that makes a row visible between the header and the lower edge; unchanged if it already is. */
export function scrollTopFor(
  index: number,
  { scrollTop, clientHeight }: Viewport,
  rowPx: number,
  headerPx = 0,
): number {
  const top = index * rowPx
  if (top < scrollTop) return top
  return Math.max(scrollTop, top + rowPx + headerPx - clientHeight)
}

/** `headerPx` is the height of a header that stays above the rows. */
export function useVisibleRows(count: number, rowPx: number, headerPx = 0) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const [range, setRange] = useState<Range>({ first: 0, end: 0 })
  useLayoutEffect(() => {
    if (scroller === null) return
    const update = (): void => {
      const next = rangeAt(scroller, count, rowPx)
      setRange((range) => (range.first === next.first && range.end === next.end ? range : next))
    }
    update()
    const observer = new ResizeObserver(update)
    observer.observe(scroller)
    scroller.addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', update)
    }
  }, [scroller, count, rowPx])
  const indexes = useMemo(
    // Until the effect has run, the range is that of the previous rows.
    () =>
      Array.from(
        { length: Math.max(Math.min(range.end, count) - range.first, 0) },
        (_, i) => range.first + i,
      ),
    [range, count],
  )
  const scrollTo = useCallback(
    (index: number, align: 'nearest' | 'center' = 'nearest') => {
      if (scroller === null) return
      scroller.scrollTop =
        align === 'center'
          ? index * rowPx - (scroller.clientHeight - rowPx) / 2
          : scrollTopFor(index, scroller, rowPx, headerPx)
    },
    [scroller, rowPx, headerPx],
  )
  return { indexes, setScroller, scroller, scrollTo }
}
