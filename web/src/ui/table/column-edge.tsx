/** The right edge of a column header: dragging it sets the width, a double-click resets it. */
import { type PointerEvent, useRef } from 'react'

interface ColumnEdgeProps {
  readonly onResize: (widthPx: number | undefined) => void
}

export function ColumnEdge({ onResize }: ColumnEdgeProps) {
  const dragStart = useRef<{ readonly x: number; readonly widthPx: number }>(undefined)
  const start = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    dragStart.current = { x: event.clientX, widthPx: event.currentTarget.parentElement?.offsetWidth ?? 0 }
  }
  const move = ({ clientX }: PointerEvent): void => {
    const { current } = dragStart
    if (current !== undefined) onResize(current.widthPx + clientX - current.x)
  }
  return (
    // Hidden from assistive technology: the header handles Alt and the arrow keys.
    <span
      aria-hidden
      data-column-edge
      title="Drag to resize; double-click to reset"
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={() => {
        dragStart.current = undefined
      }}
      onDoubleClick={() => onResize(undefined)}
      className="absolute inset-y-1 right-0 w-2 cursor-col-resize touch-none border-r border-transparent hover:border-accent group-hover/header:border-line-strong"
    />
  )
}
