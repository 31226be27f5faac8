/** How rows are dealt into requests. Pure. */
import type { NewRow } from '../grid/fields.ts'

const rowsPerPart = 500
const charactersPerPart = 1_000_000

/** Parts of so few rows and characters that a request takes each. */
export function partsOf(rows: readonly NewRow[]): readonly (readonly NewRow[])[] {
  const parts: NewRow[][] = []
  let characters = 0
  for (const row of rows) {
    const size = JSON.stringify(row).length
    const part = parts.at(-1)
    if (part === undefined || part.length >= rowsPerPart || characters + size > charactersPerPart) {
      parts.push([row])
      characters = size
    } else {
      part.push(row)
      characters += size
    }
  }
  return parts
}
