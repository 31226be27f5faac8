/** What a table shows, and how its columns share the width. Pure. */
import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Least width, in pixels; 120 by default. */
  readonly width?: number
  /** Its share of the width that is left; a column without one keeps its width. */
  readonly grow?: number
  /** Numbers stand at the right. */
  readonly align?: 'right'
  /** What rows are sorted by; for a table that the service sorts, anything that says the column can be sorted by. */
  readonly sortBy?: ((row: Row) => string | number) | true
  /** Shown only once it is chosen. */
  readonly isExtra?: boolean
  /** Cannot be hidden. */
  readonly isFixed?: boolean
}

/** Which columns are shown where the person chose none. */
export const shownByDefault = <Row>(columns: readonly Column<Row>[]): readonly string[] =>
  columns.filter(({ isExtra }) => isExtra !== true).map(({ id }) => id)

/** The columns in their order that are shown: those chosen, and those that cannot be hidden. */
export function shownColumns<Row>(
  columns: readonly Column<Row>[],
  columnIds: readonly string[] | undefined,
): readonly Column<Row>[] {
  const visible = new Set(columnIds ?? shownByDefault(columns))
  return columns.filter(({ id, isFixed }) => isFixed === true || visible.has(id))
}

const widthMin = 120

/** The `grid-template-columns` of a row, and the least width of all. */
export function gridOf(
  columns: readonly Column<never>[],
  hasCheckbox: boolean,
): { template: string; widthPx: number } {
  const tracks = columns.map(({ width = widthMin, grow }) =>
    grow ? `minmax(${width}px, ${grow}fr)` : `${width}px`,
  )
  const isElastic = columns.some(({ grow }) => grow !== undefined)
  const template = [...(hasCheckbox ? ['40px'] : []), ...tracks, ...(isElastic ? [] : ['1fr'])].join(' ')
  const widthPx = columns.reduce((sum, { width = widthMin }) => sum + width, hasCheckbox ? 40 : 0)
  return { template, widthPx }
}

/** How an address states a sort: `cost`, or `-cost` for the other way round. */
export interface Sort {
  readonly column: string
  readonly isDescending: boolean
}

export const readSort = (text: string | undefined): Sort | undefined =>
  text === undefined ? undefined : { column: text.replace(/^-/, ''), isDescending: text.startsWith('-') }

/** What a click on a header leads to: the largest first, then the smallest, then as it was. */
export function nextSort(current: string | undefined, column: string): string | undefined {
  if (current === `-${column}`) return column
  return current === column ? undefined : `-${column}`
}

/** The ids between two rows, both included: what shift and click choose. */
export function idsBetween(ids: readonly string[], a: string, b: string): readonly string[] {
  const [from = -1, to = -1] = [ids.indexOf(a), ids.indexOf(b)].sort((a, b) => a - b)
  return from === -1 ? [b] : ids.slice(from, to + 1)
}
