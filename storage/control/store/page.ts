/** Where a page ended. Pass it back to get the next one; the API encodes it as an opaque cursor. */
export type PageKey = { readonly position: number; readonly id: string }

/** What to read of a list: at most `limit` entries (all if absent) after `after`. */
export type PageRequest = { readonly limit?: number; readonly after?: PageKey }

/** Part of a list; `next` is set if more follow. */
export type Page<Item> = { readonly items: Item[]; readonly next?: PageKey }

/** Sorts before every row of an ascending list: the position decides, so the id is never compared. */
export const beforeAll: PageKey = { position: Number.MIN_SAFE_INTEGER, id: '' }

/** Sorts before every row of a descending list. */
export const afterAll: PageKey = { position: Number.MAX_SAFE_INTEGER, id: '' }

/** How many rows to read: one more than the page holds shows whether another page follows. */
export function rowsToRead(limit: number | undefined): number {
  return (limit ?? 2 ** 31) + 1
}

/** Drops the extra row, and returns where the page ended if there was one. */
export function pageOf<Row>(
  rows: Row[],
  limit: number | undefined,
  key: (row: Row) => PageKey,
): { rows: Row[]; next?: PageKey } {
  if (limit === undefined || rows.length <= limit) return { rows }
  const pageRows = rows.slice(0, limit)
  const last = pageRows.at(-1)
  return last === undefined ? { rows: pageRows } : { rows: pageRows, next: key(last) }
}
