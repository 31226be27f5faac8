/** What one line or object of a file holds. */
export type FileRecord =
  | { readonly fields: Readonly<Record<string, unknown>> }
  /** It could not be read; the sentence says why. */
  | { readonly problem: string }

export interface FileContent {
  readonly records: readonly FileRecord[]
  /** Cells of a table: JSON in them is text that is still to be read. */
  readonly isText: boolean
}
