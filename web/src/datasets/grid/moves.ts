/** Keyboard navigation in a grid. Pure. */
import type { Area } from './plan-paste.ts'

export interface Place {
  readonly row: number
  readonly column: number
}

export interface Extent {
  /** Reachable rows, including the empty one at the end. */
  readonly rows: number
  readonly columns: number
  /** Visible rows. */
  readonly pageRows: number
}

const clampIndex = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value))

/** The position that a key moves to, or undefined if the key does not move. */
export function placeAfter(
  { key, isMod }: { readonly key: string; readonly isMod: boolean },
  { row, column }: Place,
  { rows, columns, pageRows }: Extent,
): Place | undefined {
  const placeAt = (nextRow: number, nextColumn: number): Place => ({
    row: clampIndex(nextRow, rows),
    column: clampIndex(nextColumn, columns),
  })
  switch (key) {
    case 'ArrowUp':
      return isMod ? placeAt(0, column) : placeAt(row - 1, column)
    case 'ArrowDown':
      return isMod ? placeAt(rows - 1, column) : placeAt(row + 1, column)
    case 'ArrowLeft':
      return isMod ? placeAt(row, 0) : placeAt(row, column - 1)
    case 'ArrowRight':
      return isMod ? placeAt(row, columns - 1) : placeAt(row, column + 1)
    case 'PageUp':
      return placeAt(row - pageRows, column)
    case 'PageDown':
      return placeAt(row + pageRows, column)
    case 'Home':
      return isMod ? placeAt(0, 0) : placeAt(row, 0)
    case 'End':
      return isMod ? placeAt(rows - 1, columns - 1) : placeAt(row, columns - 1)
    default:
      return undefined
  }
}

/** The next cell in reading order, or the one before; undefined beyond both ends, where Tab leaves the grid. */
export function tabbedPlace(
  { row, column }: Place,
  step: 1 | -1,
  { rows, columns }: Extent,
): Place | undefined {
  const next = row * columns + column + step
  if (next < 0 || next >= rows * columns) return undefined
  return { row: Math.floor(next / columns), column: next % columns }
}

/** The cells between two places. */
export const areaOf = (a: Place, b: Place): Area => ({
  top: Math.min(a.row, b.row),
  bottom: Math.max(a.row, b.row),
  left: Math.min(a.column, b.column),
  right: Math.max(a.column, b.column),
})
