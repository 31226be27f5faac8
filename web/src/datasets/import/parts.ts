/** Splits rows into requests. Pure. */
import type { NewRow } from '../grid/fields.ts'

const rowsPerPart = 500
const charactersPerPart = 1_000_000

/** The limits of rows and characters per request. */
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

export interface ImportPart {
  readonly rows: readonly NewRow[]
  /** The idempotency key of the part. */
  readonly key: string
}

/** The parts of an import from a row on. The same rows of an import have the same key, wherever it resumed. */
export function importParts(rows: readonly NewRow[], start: number, importId: string): readonly ImportPart[] {
  let next = start
  return partsOf(rows.slice(start)).map((part) => {
    const key = `${importId}-${next}`
    next += part.length
    return { rows: part, key }
  })
}

/** Not a random UUID, which is unavailable over plain HTTP. */
export const newImportId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
