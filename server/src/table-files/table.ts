/** What CSV and Parquet share: named columns of simple types. */

export type ColumnType = 'text' | 'number' | 'flag' | 'instant'

/** Instants are microseconds since 1970. */
export type Cell = string | number | boolean | bigint | null

export interface TableColumn {
  readonly name: string
  readonly type: ColumnType
}

/** A row has a cell for each column, in column order. */
export type TableRow = readonly Cell[]
