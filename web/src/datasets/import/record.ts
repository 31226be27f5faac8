/** The content of one line or object of a file. */
export type FileRecord =
  | { readonly fields: Readonly<Record<string, unknown>> }
  /** Why it could not be read. */
  | { readonly problem: string }

export interface FileContent {
  readonly records: readonly FileRecord[]
  /** Cells of a table: JSON in them is text that is still to be read. */
  readonly isText: boolean
}
