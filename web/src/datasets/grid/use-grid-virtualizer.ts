import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect } from 'react'
import { useRemembered } from '../../ui/remembered.ts'
import type { Rows } from './use-rows.ts'

interface GridVirtualizerOptions {
  readonly scroller: RefObject<HTMLElement | null>
  readonly count: number
  /** The row that someone edits stays drawn, however far they scroll. */
  readonly editedRow: number | undefined
  readonly reach: Rows['reach']
}

/** Draws the visible rows, and loads a little ahead of them. */
export function useGridVirtualizer({ scroller, count, editedRow, reach }: GridVirtualizerOptions) {
  const [density] = useRemembered('density', 'comfortable')
  const rowPx = density === 'compact' ? 28 : 36
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    scrollPaddingStart: 36,
    rangeExtractor: (range) =>
      editedRow === undefined
        ? defaultRangeExtractor(range)
        : [...new Set([...defaultRangeExtractor(range), editedRow])].sort((a, b) => a - b),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: Rows of another height are measured anew.
  useEffect(() => virtualizer.measure(), [rowPx, virtualizer])
  const lastSeen = virtualizer.range?.endIndex ?? 0
  // A little ahead, so that scrolling does not wait.
  useEffect(() => void reach(lastSeen + 50), [lastSeen, reach])
  const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowPx) - 2)
  return { virtualizer, pageRows }
}
