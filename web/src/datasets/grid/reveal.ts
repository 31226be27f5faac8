/** Scrolls sideways until the whole cell is visible beside the row numbers, which stay. */
export function reveal(scroller: HTMLElement | null, cell: HTMLElement | null, gutterPx: number): void {
  if (scroller === null || cell === null) return
  const left = cell.offsetLeft - gutterPx
  const right = cell.offsetLeft + cell.offsetWidth
  if (left < scroller.scrollLeft) scroller.scrollLeft = left
  else if (right > scroller.scrollLeft + scroller.clientWidth)
    scroller.scrollLeft = right - scroller.clientWidth
}
