/** The column widths of a grid. Pure. */
import type { GridField } from './fields.ts'

export interface GridWidths {
  /** The checkbox and the row number. */
  readonly gutterPx: number
  /** The `grid-template-columns` of a row. */
  readonly template: string
  /** The minimum total width. */
  readonly widthPx: number
}

/** Room at the end of a row for the button that adds a column. */
const trailingPx = 48

export function gridWidths(fields: readonly GridField[], count: number): GridWidths {
  const gutterPx = 56 + 8 * String(count).length
  return {
    gutterPx,
    template: `${gutterPx}px ${fields.map(widthOf).join(' ')} ${trailingPx}px`,
    widthPx: gutterPx + trailingPx + fields.reduce((sum, field) => sum + widthPxOf(field), 0),
  }
}

const isNarrow = ({ type, part }: GridField): boolean =>
  part === 'name' || part === 'split' || part === 'labels' || type === 'image' || type === 'file'

const widthPxOf = (field: GridField): number => (isNarrow(field) ? 140 : 220)

const widthOf = (field: GridField): string => `minmax(${widthPxOf(field)}px, ${isNarrow(field) ? 1 : 2}fr)`
