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
  { widths, pinned }: ColumnLayout = { widths: {}, pinned: [] },
): Grid {
  const checkboxPx = hasCheckbox ? 40 : 0
  const widthOf = ({ id, width = widthMin }: Column<never>): number => widths[id] ?? width
  // A pinned column keeps its width, since those beside it stand at the sum of the widths before them.
  const isElastic = ({ id, grow }: Column<never>): boolean =>
    grow !== undefined && widths[id] === undefined && !pinned.includes(id)
  const tracks = columns.map((column) =>
    isElastic(column) ? `minmax(${widthOf(column)}px, ${column.grow}fr)` : `${widthOf(column)}px`,
  )
  const template = [
    ...(hasCheckbox ? [`${checkboxPx}px`] : []),
    ...tracks,
    ...(columns.some(isElastic) ? [] : ['1fr']),
  ].join(' ')
  const offsets: Record<string, number> = {}
  let widthPx = checkboxPx
  for (const column of columns) {
    if (pinned.includes(column.id)) offsets[column.id] = widthPx
    widthPx += widthOf(column)
  }
  return { template, widthPx, offsets }
}

/** What a person has changed of a table: widths in pixels, and columns that stay while the others scroll. */
export interface ColumnLayout {
  readonly widths: Readonly<Record<string, number>>
  readonly pinned: readonly string[]
}

export interface Grid {
  readonly template: string
  /** The least width of all columns. */
  readonly widthPx: number
  /** Where pinned columns stand, from the left. */
  readonly offsets: Readonly<Record<string, number>>
}

/** Pinned columns come first, in the order of all. */
export const pinnedFirst = <Row>(
  columns: readonly Column<Row>[],
  pinnedKeys: readonly string[],
): readonly Column<Row>[] => [
  ...columns.filter(({ id }) => pinnedKeys.includes(id)),
  ...columns.filter(({ id }) => !pinnedKeys.includes(id)),
]

/** A layout as this device remembers it; what is no layout is none. */
export function readLayout(text: string): ColumnLayout {
  const { widths = {}, pinned = [] } = parseLayout(text)
  return {
    widths: Object.fromEntries(Object.entries(widths).filter(([, width]) => Number.isFinite(width))),
    pinned: Array.isArray(pinned) ? pinned.filter((id) => typeof id === 'string') : [],
  }
}

function parseLayout(text: string): Partial<ColumnLayout> {
  try {
    const layout: unknown = JSON.parse(text)
    return typeof layout === 'object' && layout !== null ? layout : {}
  } catch {
    // Remembered by something else: the table has its own widths.
    return {}
  }
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
