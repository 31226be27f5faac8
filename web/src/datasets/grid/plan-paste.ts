/** The effects of pasting a block of cells, before anything is written. Pure. */
import type { Block } from './block.ts'
import { type CellChange, type GridField, type NewRow, newRow, readText, textOf } from './fields.ts'
import type { StoredRow } from './row-types.ts'

/** Rows and columns by position, both ends included. */
export interface Area {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

export interface RowChange {
  readonly index: number
  readonly row: StoredRow
  readonly changes: readonly CellChange[]
}

export interface PasteProblem {
  /** The row of the block, from 1. */
  readonly line: number
  readonly column: string
  readonly problem: string
}

export interface PastePlan {
  readonly changes: readonly RowChange[]
  readonly newRows: readonly NewRow[]
  readonly problems: readonly PasteProblem[]
  /** Columns of the block beyond the last column of the grid. */
  readonly lostCount: number
  /** Why the new rows could not be added. */
  readonly problem?: string
}

/** A single cell fills the whole area; a larger block starts at the area's corner, whatever its size. */
export function planPaste(
  block: Block,
  area: Area,
  fields: readonly GridField[],
  rows: readonly StoredRow[],
): PastePlan {
  const isFill = block.length === 1 && block[0]?.length === 1
  const filled = isFill
    ? Array.from({ length: area.bottom - area.top + 1 }, () =>
        Array.from({ length: area.right - area.left + 1 }, () => block[0]?.[0] ?? ''),
      )
    : block
  const changes: RowChange[] = []
  const newRows: NewRow[] = []
  const problems: PasteProblem[] = []
  let lostCount = 0
  for (const [line, cells] of filled.entries()) {
    const index = area.top + line
    const row = rows[index]
    lostCount = Math.max(lostCount, area.left + cells.length - fields.length)
    const cellChanges: CellChange[] = []
    for (const [place, text] of cells.entries()) {
      const field = fields[area.left + place]
      if (field === undefined || (row !== undefined && textOf(row, field) === text)) continue
      if (row === undefined && text === '') continue
      const read = readText(text, field)
      if ('problem' in read) problems.push({ line: line + 1, column: field.header, problem: read.problem })
      else cellChanges.push({ field, value: read.value })
    }
    if (cellChanges.length === 0) continue
    if (row === undefined) newRows.push(newRow(cellChanges))
    else changes.push({ index, row, changes: cellChanges })
  }
  return { changes, newRows, problems, lostCount }
}
