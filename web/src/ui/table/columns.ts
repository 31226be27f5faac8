/** The columns of a table, and how they share its width. Pure. */
import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Minimum width, in pixels; 120 by default. */
  readonly width?: number
  /** Its share of the remaining width; a column without one has a fixed width. */
  readonly grow?: number
  /** Numbers are right-aligned. */
  readonly align?: 'right'
  /** The sort value of a row; for a table sorted by the service, any value marks the column as sortable. */
  readonly sortBy?: ((row: Row) => string | number) | true
  /** Shown only once it is chosen. */
  readonly isExtra?: boolean
  /** Cannot be hidden. */
  readonly isFixed?: boolean
}

/** The columns shown by default. */
export const shownByDefault = <Row>(columns: readonly Column<Row>[]): readonly string[] =>
  columns.filter(({ isExtra }) => isExtra !== true).map(({ id }) => id)

/** The shown columns in order: the chosen ones, and those that cannot be hidden. */
export function shownColumns<Row>(
  columns: readonly Column<Row>[],
  columnIds: readonly string[] | undefined,
): readonly Column<Row>[] {
  const visible = new Set(columnIds ?? shownByDefault(columns))
  return columns.filter(({ id, isFixed }) => isFixed === true || visible.has(id))
}

const widthMin = 120

/** The `grid-template-columns` of a row, and the minimum total width. */
export function gridOf(
  columns: readonly Column<never>[],
  hasCheckbox: boolean,
  { widths, pinned }: ColumnLayout = { widths: {}, pinned: [] },
): Grid {
  const checkboxPx = hasCheckbox ? 40 : 0
  const widthOf = ({ id, width = widthMin }: Column<never>): number => widths[id] ?? width
  // A pinned column has a fixed width, since its neighbours are positioned at the sum of the preceding widths.
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

/** The user's layout of a table: widths in pixels, and pinned columns. */
export interface ColumnLayout {
  readonly widths: Readonly<Record<string, number>>
  readonly pinned: readonly string[]
}

export interface Grid {
  readonly template: string
  /** The minimum total width of the columns. */
  readonly widthPx: number
  /** The left offsets of pinned columns. */
  readonly offsets: Readonly<Record<string, number>>
}

/** Pinned columns come first, in table order. */
export const pinnedFirst = <Row>(
  columns: readonly Column<Row>[],
  pinnedKeys: readonly string[],
): readonly Column<Row>[] => [
  ...columns.filter(({ id }) => pinnedKeys.includes(id)),
  ...columns.filter(({ id }) => !pinnedKeys.includes(id)),
]

/** Parses a stored layout; an invalid one is ignored. */
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
    // Stored by something else: the table uses its default widths.
    return {}
  }
}

/** A sort order in the URL: `cost`, or `-cost` for the reverse. */
export interface Sort {
  readonly column: string
  readonly isDescending: boolean
}

export const readSort = (text: string | undefined): Sort | undefined =>
  text === undefined ? undefined : { column: text.replace(/^-/, ''), isDescending: text.startsWith('-') }

/** The next sort order on a header click: descending, then ascending, then the default. */
export function nextSort(current: string | undefined, column: string): string | undefined {
  if (current === `-${column}`) return column
  return current === column ? undefined : `-${column}`
}

/** The ids between two rows, both included: the selection of a shift-click. */
export function idsBetween(ids: readonly string[], a: string, b: string): readonly string[] {
  const [from = -1, to = -1] = [ids.indexOf(a), ids.indexOf(b)].sort((a, b) => a - b)
  return from === -1 ? [b] : ids.slice(from, to + 1)
}
