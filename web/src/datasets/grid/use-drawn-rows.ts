import { useEffect, useMemo } from 'react'
import { useRemembered } from '../../ui/storage/remembered.ts'
import { useVisibleRows } from '../../ui/visible-rows.ts'
import type { Rows } from './use-rows.ts'

interface DrawnRowsOptions {
  readonly count: number
  /** The edited row stays rendered, however far the user scrolls. */
  readonly editedRow: number | undefined
  readonly reach: Rows['reach']
}

const headerPx = 36

/** The rendered rows of the grid; loads a little ahead of them. */
export function useDrawnRows({ count, editedRow, reach }: DrawnRowsOptions) {
  const [density] = useRemembered('density', 'comfortable')
  const rowPx = density === 'compact' ? 28 : 36
  const { indexes: visible, scroller, setScroller, scrollTo } = useVisibleRows(count, rowPx, headerPx)
  const indexes = useMemo(
    () =>
      editedRow === undefined || visible.includes(editedRow)
        ? visible
        : [...visible, editedRow].sort((a, b) => a - b),
    [visible, editedRow],
  )
  const lastSeen = visible.at(-1) ?? 0
  // A little ahead, so that scrolling does not wait.
  useEffect(() => void reach(lastSeen + 50), [lastSeen, reach])
  const pageRows = Math.max(1, Math.floor((scroller?.clientHeight ?? 400) / rowPx) - 2)
  return { indexes, rowPx, scroller, setScroller, scrollTo, pageRows }
}
