import { useEffect, useRef, useState } from 'react'

interface FirstOpenRowOptions {
  readonly ids: readonly string[]
  readonly openId: string | undefined
  /** Null until the table is rendered. */
  readonly scroller: HTMLElement | null
  readonly scrollTo: (index: number) => void
}

/** Scrolls the row in the URL into view, once: when a link is opened, or when the user returns to a list. */
export function useFirstOpenRow({ ids, openId, scroller, scrollTo }: FirstOpenRowOptions): void {
  const [firstId] = useState(openId)
  const index = firstId === undefined ? -1 : ids.indexOf(firstId)
  const isDone = useRef(false)
  useEffect(() => {
    if (index < 0 || scroller === null || isDone.current) return
    isDone.current = true
    scrollTo(index)
  }, [index, scroller, scrollTo])
}
