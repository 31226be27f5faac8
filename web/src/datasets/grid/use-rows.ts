/**
 * The rows of a dataset, loaded page by page as the user scrolls. They are kept here and not in the query cache,
 * since an edited cell must not reload a hundred pages.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import { call, useClient } from '../../app/api.ts'
import type { StoredRow } from './row-types.ts'

/** The first page is small, so that it loads fast. */
const firstPage = 100
const furtherPages = 1000

export interface Rows {
  /** The rows loaded so far, from the first on. */
  readonly loadedRows: readonly StoredRow[]
  /** Whether all rows are loaded. */
  readonly isWhole: boolean
  readonly isReading: boolean
  readonly error: Error | undefined
  /** Loads up to the row at this index, or to the last one; resolves to all loaded rows. */
  reach(index: number): Promise<readonly StoredRow[]>
  change(update: (rows: readonly StoredRow[]) => readonly StoredRow[]): void
  /** Adds rows at the end: visible now, or once loading reaches them. Existing rows are replaced. */
  add(rows: readonly StoredRow[]): void
  /** Drops all rows, and reloads from the first. */
  reload(): void
}

interface RowCache {
  rows: readonly StoredRow[]
  cursor: string | undefined
  isWhole: boolean
  pendingRead: Promise<void> | undefined
}

const emptyCache = (): RowCache => ({ rows: [], cursor: undefined, isWhole: false, pendingRead: undefined })

/** Which rows to load; all current rows if empty. */
export interface RowSelection {
  readonly version?: number | undefined
  readonly split?: string | undefined
  readonly label?: string | undefined
  /** A text to search for. */
  readonly q?: string | undefined
}

export function useRows(slug: string, { version, split, label, q }: RowSelection): Rows {
  const client = useClient()
  const cache = useRef<RowCache>(emptyCache())
  const [, draw] = useState(0)
  const [error, setError] = useState<Error>()
  const redraw = useCallback(() => draw((count) => count + 1), [])

  const readPage = useCallback(async (): Promise<void> => {
    const current = cache.current
    const { rows, cursor } = current
    const limit = rows.length === 0 ? firstPage : furtherPages
    const input = {
      slug,
      limit,
      ...(version !== undefined && { version }),
      ...(split !== undefined && { split }),
      ...(label !== undefined && { label }),
      ...(q !== undefined && { q }),
      ...(cursor !== undefined && { cursor }),
    }
    const page = await call(client, 'datasets.rows', input)
    if (cache.current !== current) return
    // Rows added here meanwhile may already be present.
    const loadedIds = new Set(current.rows.map(({ id }) => id))
    current.rows = [...current.rows, ...page.rows.filter(({ id }) => !loadedIds.has(id))]
    current.cursor = page.nextCursor
    current.isWhole = page.nextCursor === undefined
  }, [client, slug, version, split, label, q])

  const reach = useCallback(
    async (index: number): Promise<readonly StoredRow[]> => {
      try {
        while (!cache.current.isWhole && cache.current.rows.length <= index) {
          const current = cache.current
          current.pendingRead ??= readPage().finally(() => {
            current.pendingRead = undefined
          })
          await current.pendingRead
          setError(undefined)
          redraw()
        }
      } catch (failure) {
        setError(failure instanceof Error ? failure : new Error(String(failure)))
      }
      return cache.current.rows
    },
    [readPage, redraw],
  )

  const reload = useCallback(() => {
    cache.current = emptyCache()
    redraw()
    void reach(0)
  }, [reach, redraw])

  useEffect(reload, [reload])

  const change = useCallback(
    (update: (rows: readonly StoredRow[]) => readonly StoredRow[]) => {
      cache.current.rows = update(cache.current.rows)
      redraw()
    },
    [redraw],
  )
  const add = useCallback(
    (rows: readonly StoredRow[]) => {
      const newRows = new Map(rows.map((row) => [row.id, row]))
      change((all) => {
        const replaced = all.map((row) => newRows.get(row.id) ?? row)
        for (const { id } of all) newRows.delete(id)
        return cache.current.isWhole ? [...replaced, ...newRows.values()] : replaced
      })
    },
    [change],
  )
  const { rows: loadedRows, isWhole, pendingRead } = cache.current
  return { loadedRows, isWhole, isReading: pendingRead !== undefined, error, reach, change, add, reload }
}
